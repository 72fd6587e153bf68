package corfu.roles.layout;

import corfu.protocol.message.LayoutRequest.Remember;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import corfu.roles.TwinFile;
import corfu.world.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of log units on a layout server's disk. The {@link TwinFile} {@code witness}
 * contains it as requests, in the frames of the wire protocol. It is a few seconds old. If it is
 * lost, the server remembers nothing. For one thread at a time.
 */
final class DiskProgressFile {

  private static final Logger LOG = LoggerFactory.getLogger(DiskProgressFile.class);

  static final String NAME = "witness";

  private static final long MAGIC = 0x5449574e_46524f43L; // "CORFNWIT"
  private static final int VERSION = 1;
  private static final int MAX_BYTES = 4 << 20;

  private final Disk disk;
  private final TwinFile file;

  DiskProgressFile(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, MAX_BYTES);
  }

  List<Remember> load() {
    try {
      return file.read().map(DiskProgressFile::requestsIn).orElse(List.of());
    } catch (TwinFile.DamagedException
        | MalformedFrameException
        | IndexOutOfBoundsException damage) {
      LOG.warn(
          "the file '{}' of {} is damaged; log units whose disks were set back are not recognised"
              + " by this layout server until they have told it how far they are: {}",
          NAME,
          disk.description(),
          damage.getMessage());
      file.discard();
      return List.of();
    }
  }

  private static List<Remember> requestsIn(ByteBuffer bytes) {
    List<Remember> all = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int length = FrameCodec.claimedLength(bytes);
      ByteBuffer frame = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      if (FrameCodec.decode(frame).message() instanceof Remember told) {
        all.add(told);
      }
    }
    return all;
  }

  void save(List<Remember> all) {
    HeapWriter out = new HeapWriter();
    all.forEach(told -> FrameCodec.encode(told, 0, out));
    file.write(out.finish());
  }
}
