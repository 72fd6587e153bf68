package corfu.roles.layout;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutRequest.Remember;
import corfu.protocol.message.Progress;
import corfu.roles.TwinFiles;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * A layout server's file {@code witness}. The first byte says whether the rest is the whole file,
 * or the content of an intact file.
 */
public final class WitnessFileTarget implements FuzzTarget {

  private static final long MAGIC = 0x5449574e_46524f43L;
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 32;

  @Override
  public String name() {
    return "witness-file";
  }

  @Override
  public List<byte[]> seeds() {
    Disk disk = new MemoryDisk();
    new DiskProgressFile(disk)
        .save(
            List.of(
                new Remember(
                    new Endpoint("node-1", 9000),
                    new Incarnation(7),
                    new Progress(3, 4096, new Epoch(2), new Epoch(3))),
                new Remember(new Endpoint("node-2", 9000), new Incarnation(8), Progress.NONE)));
    byte[] file = TwinFiles.bytesOf(disk, DiskProgressFile.NAME);
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
    return List.of(
        Bytes.behind(0, file),
        Bytes.behind(1, Arrays.copyOfRange(file, HEADER_BYTES, HEADER_BYTES + length)),
        Bytes.behind(1, new byte[8]));
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    boolean isContent = input.length > 0 && (input[0] & 1) != 0;
    Disk disk =
        isContent
            ? TwinFiles.intact(DiskProgressFile.NAME, MAGIC, VERSION, bytes)
            : TwinFiles.raw(DiskProgressFile.NAME, bytes);
    DiskProgressFile file = new DiskProgressFile(disk);
    List<Remember> known = new DiskProgress(file.load()).takeAll();
    file.save(known);
    Bytes.same(known, new DiskProgressFile(disk).load(), "loaded again");
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
