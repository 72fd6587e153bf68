package corfu.roles.logunit.store;

import corfu.roles.TwinFile;
import corfu.world.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address below which a client wants the log compressed: the content of the {@link TwinFile}
 * {@code compress}, 8 bytes, little-endian. If it is lost, clients have to ask again.
 */
final class CompressionFile {

  private static final Logger LOG = LoggerFactory.getLogger(CompressionFile.class);

  static final String NAME = "compress";

  private static final long MAGIC = 0x525a4c43_46524f43L; // "CORFCLZR"
  private static final int VERSION = 1;
  private static final int BYTES = Long.BYTES;

  private final Disk disk;
  private final TwinFile file;

  CompressionFile(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, BYTES);
  }

  /** Returns the stored address, or 0 if there is none. */
  long read() {
    try {
      Optional<ByteBuffer> content = file.read();
      return content
          .filter(bytes -> bytes.limit() == BYTES)
          .map(bytes -> bytes.getLong(0))
          .orElse(0L);
    } catch (TwinFile.DamagedException damage) {
      LOG.warn(
          "the file '{}' of {} is damaged; ask for the compression again: {}",
          NAME,
          disk.description(),
          damage.getMessage());
      file.discard();
      return 0;
    }
  }

  void write(long before) {
    file.write(ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, before));
  }
}
