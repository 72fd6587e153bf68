package corfu.roles.logunit;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.world.Disk;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The unit's epochs and layout on disk, in the file {@code epoch}. Little-endian.
 *
 * <pre>
 *   0                8        12       16               24               28
 *   +----------------+--------+--------+----------------+--------+-------------- - - -+
 *   | "CORFUEPO"     | crc32c | version| sealed epoch   | length | layout as JSON     |
 *   +----------------+--------+--------+----------------+--------+-------------- - - -+
 * </pre>
 *
 * crc32c covers everything behind it. The layout names the cluster and the installed epoch. The
 * file is replaced as a whole: written under another name, synced, renamed.
 */
final class EpochFile {

  private static final String NAME = "epoch";
  private static final String NEW_NAME = "epoch" + Segment.TEMPORARY;
  private static final long MAGIC = 0x4f504555_46524f43L; // "CORFUEPO"
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 28;

  private EpochFile() {}

  /** What is kept. */
  record Content(Layout layout, Epoch sealed) {
    ClusterId clusterId() {
      return layout.clusterId();
    }
  }

  static void write(Disk disk, Content content) {
    byte[] layout = LayoutJson.compact(content.layout()).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + layout.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, MAGIC).putInt(12, VERSION).putLong(16, content.sealed().value());
    bytes.putInt(24, layout.length).put(HEADER_BYTES, layout).putInt(8, checksum(bytes));
    disk.delete(NEW_NAME);
    try (DiskFile file = disk.create(NEW_NAME)) {
      file.write(bytes, 0);
      file.sync();
    }
    disk.rename(NEW_NAME, NAME);
    disk.syncNames();
  }

  /**
   * What was written last; empty for a new unit.
   *
   * @throws DamagedStorageException if it can't be read
   */
  static Optional<Content> read(Disk disk) {
    if (!disk.exists(NAME)) {
      return Optional.empty();
    }
    ByteBuffer bytes;
    try (DiskFile file = disk.open(NAME)) {
      bytes =
          ByteBuffer.allocate((int) Math.min(file.size(), 64 << 20)).order(ByteOrder.LITTLE_ENDIAN);
      file.read(bytes, 0);
      bytes.flip();
    }
    if (bytes.limit() < HEADER_BYTES
        || bytes.getLong(0) != MAGIC
        || bytes.getInt(8) != checksum(bytes)
        || bytes.getInt(12) != VERSION
        || bytes.getInt(24) != bytes.limit() - HEADER_BYTES) {
      throw new DamagedStorageException(
          "the file '"
              + NAME
              + "' of "
              + disk.description()
              + " is damaged, so nobody knows which epochs this unit has"
              + " sealed; rebuild the unit from its replicas on an empty directory");
    }
    String json =
        StandardCharsets.UTF_8.decode(bytes.slice(HEADER_BYTES, bytes.getInt(24))).toString();
    return Optional.of(new Content(LayoutJson.parse(json), new Epoch(bytes.getLong(16))));
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(12));
    return (int) crc.getValue();
  }
}
