package corfu.proof.fuzz;

import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Frames of all messages. The first byte says whether to correct the frame's length, which random
 * bytes would hardly ever do.
 */
final class FrameTarget implements FuzzTarget {

  @Override
  public String name() {
    return "frame";
  }

  @Override
  public List<byte[]> seeds() {
    return GoldenFrames.all().stream().map(frame -> Bytes.behind(1, frame)).toList();
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    if (input.length > 0 && (input[0] & 1) != 0 && bytes.remaining() >= FrameCodec.HEADER_BYTES) {
      bytes.putInt(0, bytes.remaining());
    }
    Frame frame;
    try {
      frame = FrameCodec.decode(bytes);
    } catch (MalformedFrameException refused) {
      return;
    }
    int oldest = FrameCodec.oldestVersionOf(frame.message());
    for (int version = oldest; version <= FrameCodec.NEWEST_VERSION; version++) {
      ByteBuffer written = written(frame, version);
      Frame again = FrameCodec.decode(written);
      Bytes.same(written, written(again, version), "decoded again");
      Frame copied = FrameCodec.decodeCopying(bytes);
      Bytes.same(written, written(copied, version), "decoded to memory of its own");
      Bytes.same(frame.message(), again.message(), "as values");
    }
  }

  private static ByteBuffer written(Frame frame, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(frame.message(), frame.requestId(), version, out);
    return out.finish();
  }
}
