package corfu.objects.internal.checkpoint;

import corfu.objects.serial.SerializationException;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The values of a checkpoint in its parts. The first byte says where the parts are cut, which must
 * make no difference.
 */
public final class CheckpointBytesTarget implements FuzzTarget {

  @Override
  public String name() {
    return "checkpoint-bytes";
  }

  @Override
  public List<byte[]> seeds() {
    byte[] three = {2, 1, 0, 3, 1, 10, 0, 1, 5, 0};
    return List.of(Bytes.behind(0, three), Bytes.behind(1, three), Bytes.behind(3, three));
  }

  @Override
  public void run(byte[] input) {
    int most = input.length == 0 ? 0 : input[0] & 0x7f;
    ByteBuffer whole = Bytes.from(input, 1);
    List<ByteBuffer> parts = new ArrayList<>();
    for (int at = 0; at < whole.limit(); ) {
      int length = most == 0 ? whole.limit() : Math.min(most, whole.limit() - at);
      parts.add(whole.slice(at, length));
      at += length;
    }
    Bytes.same(values(List.of(whole)), values(parts), "cut into parts of " + most + " bytes");
  }

  private static List<ByteBuffer> values(List<ByteBuffer> parts) {
    List<ByteBuffer> values = new ArrayList<>();
    PartBytes bytes = new PartBytes(parts.stream().map(ByteBuffer::duplicate).iterator());
    try {
      for (int length = bytes.readLength(); length > 0; length = bytes.readLength()) {
        ByteBuffer value = bytes.read(length);
        if (value.remaining() != length) {
          throw new AssertionError(value.remaining() + " bytes instead of " + length);
        }
        values.add(value);
      }
    } catch (SerializationException | NoSuchElementException damagedOrMissing) {
      return values;
    }
    return values;
  }
}
