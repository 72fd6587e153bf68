package corfu.roles.logunit.membership;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.proof.fuzz.Samples;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.LayoutJson;
import corfu.roles.TwinFiles;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A log unit's file {@code epoch}. The first byte says whether the rest is the whole file, or the
 * content of an intact file.
 */
public final class EpochFileTarget implements FuzzTarget {

  private static final String NAME = "epoch";
  private static final long MAGIC = 0x4f504555_46524f43L;
  private static final int VERSION = 3;

  @Override
  public String name() {
    return "epoch-file";
  }

  @Override
  public List<byte[]> seeds() {
    byte[] layout = Bytes.of(Samples.PLAIN_LAYOUT);
    ByteBuffer content = Bytes.from(new byte[24 + layout.length], 0);
    content.putLong(5).putLong(77).putLong(2).put(layout);
    Disk disk = new MemoryDisk();
    new EpochFile(disk)
        .write(new EpochFile.Content(new Incarnation(7), 1, new Epoch(2), Optional.empty()));
    return List.of(
        Bytes.behind(1, content.array()),
        Bytes.behind(1, new byte[24]),
        Bytes.behind(0, TwinFiles.bytesOf(disk, NAME)));
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    boolean isContent = input.length > 0 && (input[0] & 1) != 0;
    Disk disk =
        isContent ? TwinFiles.intact(NAME, MAGIC, VERSION, bytes) : TwinFiles.raw(NAME, bytes);
    EpochFile file = new EpochFile(disk);
    EpochFile.Content content;
    try {
      content = file.read().orElseThrow();
    } catch (DamagedStorageException refused) {
      return;
    }
    file.write(content);
    EpochFile.Content again = new EpochFile(disk).read().orElseThrow();
    Bytes.same(content, again, "read again");
    content.layout().ifPresent(layout -> Bytes.same(layout, again.layout().get(), "the layout"));
    Bytes.same(
        content.layout().map(LayoutJson::pretty),
        again.layout().map(LayoutJson::pretty),
        "the layout as text");
  }

  /** The disk allocates memory in large pieces. */
  @Override
  public long allowedBytes() {
    return 4 << 20;
  }

  @Override
  public long allowedBytesForEach() {
    return 4_096;
  }
}
