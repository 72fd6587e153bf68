package corfu.roles.logunit.scrub;

import corfu.roles.TwinFile;
import corfu.world.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scrubber's progress, from which the next start continues: the content of the {@link TwinFile}
 * {@code scrub}. Little-endian. If it is lost, a new round begins.
 *
 * <pre>
 *   0                8                16
 *   +----------------+----------------+
 *   | rounds         | next segment   |
 *   +----------------+----------------+
 * </pre>
 */
final class ScrubFile {

  private static final Logger LOG = LoggerFactory.getLogger(ScrubFile.class);

  static final String NAME = "scrub";

  private static final long MAGIC = 0x42524353_46524f43L; // "CORFSCRB"
  private static final int VERSION = 1;
  private static final int BYTES = 16;

  private final Disk disk;
  private final TwinFile file;

  /**
   * The scrubber's progress.
   *
   * @param rounds the number of completed rounds
   * @param next the lowest sequence number of a log file that this round has not read
   */
  record Progress(long rounds, long next) {
    static final Progress NONE = new Progress(0, 0);
  }

  ScrubFile(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, BYTES);
  }

  Progress read() {
    try {
      Optional<ByteBuffer> content = file.read();
      return content
          .filter(bytes -> bytes.limit() == BYTES)
          .map(bytes -> new Progress(bytes.getLong(0), bytes.getLong(8)))
          .orElse(Progress.NONE);
    } catch (TwinFile.DamagedException damage) {
      LOG.warn(
          "the file '{}' of {} is damaged; scrubbing starts from the beginning: {}",
          NAME,
          disk.description(),
          damage.getMessage());
      disk.delete(NAME);
      return Progress.NONE;
    }
  }

  void write(Progress progress) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.write(bytes.putLong(0, progress.rounds()).putLong(8, progress.next()));
  }
}
