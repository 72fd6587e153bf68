package corfu.roles.logunit.membership;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.roles.TwinFile;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.LogFileName;
import corfu.world.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The unit's identity, epochs and layout on disk, the content of the {@link TwinFile} {@code
 * epoch}. Little-endian.
 *
 * <pre>
 *   0                8                16               24
 *   +----------------+----------------+----------------+------------------- - - -+
 *   | sealed epoch   | incarnation    | first segment  | layout as JSON          |
 *   +----------------+----------------+----------------+------------------- - - -+
 * </pre>
 *
 * Log files with a sequence number below the first segment's are void: they held the content of an
 * earlier incarnation. The layout names the cluster and the installed epoch; it is empty before the
 * first layout. For one thread at a time.
 */
final class EpochFile {

  private static final String NAME = "epoch";
  private static final long MAGIC = 0x4f504555_46524f43L; // "CORFUEPO"
  private static final int VERSION = 3;
  private static final int LAYOUT_AT = 24;
  private static final int MAX_BYTES = 64 << 20;

  private final Disk disk;
  private final TwinFile file;

  EpochFile(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, MAX_BYTES);
  }

  /**
   * The stored content.
   *
   * @param incarnation the unit's incarnation
   * @param firstLogFile the lowest sequence number of a log file that counts
   * @param sealed the highest sealed epoch
   * @param layout the newest layout, if any
   */
  record Content(
      Incarnation incarnation, long firstLogFile, Epoch sealed, Optional<Layout> layout) {

    /** Returns the same content with another incarnation. */
    Content of(Incarnation other) {
      return new Content(other, firstLogFile, sealed, layout);
    }
  }

  void write(Content content) {
    byte[] layout =
        content.layout().map(LayoutJson::compact).orElse("").getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(LAYOUT_AT + layout.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, content.sealed().value()).putLong(8, content.incarnation().value());
    bytes.putLong(16, content.firstLogFile()).put(LAYOUT_AT, layout);
    file.write(bytes);
  }

  /**
   * Returns the last written content, or empty on an empty disk.
   *
   * @throws DamagedStorageException if the file is unreadable, or is missing although there are log
   *     files
   */
  Optional<Content> read() {
    try {
      Optional<Content> content = file.read().map(EpochFile::contentOf);
      if (content.isEmpty() && disk.list().stream().anyMatch(LogFileName::isName)) {
        throw damaged("is missing");
      }
      return content;
    } catch (TwinFile.DamagedException | IllegalArgumentException damage) {
      throw damaged("is damaged: " + damage.getMessage());
    }
  }

  /**
   * Throws {@link IllegalArgumentException} if an intact file has a content that no unit writes.
   */
  private static Content contentOf(ByteBuffer bytes) {
    if (bytes.limit() < LAYOUT_AT) {
      throw new IllegalArgumentException("it holds " + bytes.limit() + " bytes");
    }
    String json =
        StandardCharsets.UTF_8.decode(bytes.slice(LAYOUT_AT, bytes.limit() - LAYOUT_AT)).toString();
    return new Content(
        new Incarnation(bytes.getLong(8)),
        bytes.getLong(16),
        new Epoch(bytes.getLong(0)),
        json.isEmpty() ? Optional.empty() : Optional.of(LayoutJson.parse(json)));
  }

  private DamagedStorageException damaged(String how) {
    return new DamagedStorageException(
        ("the file '%s' of %s %s, so this unit's sealed epochs are unknown;"
                + " rebuild the unit from its replicas on an empty directory")
            .formatted(NAME, disk.description(), how));
  }
}
