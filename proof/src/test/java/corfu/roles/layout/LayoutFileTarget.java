package corfu.roles.layout;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.proof.fuzz.Samples;
import corfu.proof.fuzz.StillWorld;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutRequest;
import corfu.roles.TwinFiles;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The acceptor's file {@code layout}. The first byte says whether the rest is the whole file, or
 * the content of an intact file.
 */
public final class LayoutFileTarget implements FuzzTarget {

  private static final String NAME = "layout";
  private static final long MAGIC = 0x59414c55_46524f43L;
  private static final int VERSION = 3;
  private static final int HEADER_BYTES = 32;

  @Override
  public String name() {
    return "layout-file";
  }

  @Override
  public List<byte[]> seeds() {
    Layout layout = LayoutJson.parse(Samples.PLAIN_LAYOUT);
    LayoutState open =
        LayoutState.recalled(
            new Incarnation(9),
            List.of(
                new LayoutRequest.Learn(layout),
                new LayoutRequest.Prepare(new Epoch(8), new Ballot(3, 4))));
    byte[] file = written(open);
    int length = ByteBuffer.wrap(file).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(12);
    return List.of(
        Bytes.behind(0, written(LayoutState.blank(new Incarnation(9)))),
        Bytes.behind(1, Arrays.copyOfRange(file, HEADER_BYTES, HEADER_BYTES + length)),
        Bytes.behind(1, new byte[8]));
  }

  private static byte[] written(LayoutState state) {
    Disk disk = new MemoryDisk();
    new LayoutFile(disk).save(state);
    return TwinFiles.bytesOf(disk, NAME);
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    boolean isContent = input.length > 0 && (input[0] & 1) != 0;
    Disk disk =
        isContent ? TwinFiles.intact(NAME, MAGIC, VERSION, bytes) : TwinFiles.raw(NAME, bytes);
    LayoutFile file = new LayoutFile(disk);
    LayoutState state;
    try {
      state = file.loadOrBegin(new StillWorld().random());
    } catch (DamagedLayoutFileException refused) {
      return;
    }
    file.save(state);
    LayoutState again = new LayoutFile(disk).loadOrBegin(new StillWorld().random());
    Bytes.same(state, again, "loaded again");
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
