package corfu.roles.logunit;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
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
 * Who the unit is, its epochs and its layout on disk, in the file {@code epoch}. Little-endian.
 *
 * <pre>
 *   0                8        12       16               24               32               40
 *   +----------------+--------+--------+----------------+----------------+----------------+
 *   | "CORFUEPO"     | crc32c | version| sealed epoch   | incarnation    | first segment  |
 *   +----------------+--------+--------+----------------+----------------+----------------+
 *   40       44
 *   +--------+-------------- - - -+
 *   | length | layout as JSON     |
 *   +--------+-------------- - - -+
 * </pre>
 *
 * crc32c covers everything behind it. Segment files with a lower sequence number than the first one
 * are void: they held what an earlier incarnation had. The layout names the cluster and the
 * installed epoch; its length is 0 where there is none. The file is replaced as a whole: written
 * under another name, synced, renamed.
 */
final class EpochFile {

  private static final String NAME = "epoch";
  private static final String NEW_NAME = "epoch" + Segment.TEMPORARY;
  private static final long MAGIC = 0x4f504555_46524f43L; // "CORFUEPO"
  private static final int VERSION = 2;
  private static final int HEADER_BYTES = 44;

  private EpochFile() {}

  /**
   * What is kept.
   *
   * @param firstSegment the lowest sequence number of a segment file that counts
   */
  record Content(
      Incarnation incarnation, long firstSegment, Epoch sealed, Optional<Layout> layout) {}

  static void write(Disk disk, Content content) {
    byte[] layout =
        content.layout().map(LayoutJson::compact).orElse("").getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + layout.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, MAGIC).putInt(12, VERSION).putLong(16, content.sealed().value());
    bytes.putLong(24, content.incarnation().value()).putLong(32, content.firstSegment());
    bytes.putInt(40, layout.length).put(HEADER_BYTES, layout).putInt(8, checksum(bytes));
    disk.delete(NEW_NAME);
    try (DiskFile file = disk.create(NEW_NAME)) {
      file.write(bytes, 0);
      file.sync();
    }
    disk.rename(NEW_NAME, NAME);
    disk.syncNames();
  }

  /**
   * What was written last; empty on an empty disk.
   *
   * @throws DamagedStorageException if it can't be read, or is missing though there are segments
   */
  static Optional<Content> read(Disk disk) {
    if (!disk.exists(NAME)) {
      if (disk.list().stream().anyMatch(Segment::isName)) {
        throw damaged(disk, "missing");
      }
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
        || bytes.getInt(8) != checksum(bytes)) {
      throw damaged(disk, "damaged");
    }
    if (bytes.getInt(12) != VERSION || bytes.getInt(40) != bytes.limit() - HEADER_BYTES) {
      throw damaged(
          disk, "of format " + bytes.getInt(12) + ", where " + VERSION + " is understood");
    }
    String json =
        StandardCharsets.UTF_8.decode(bytes.slice(HEADER_BYTES, bytes.getInt(40))).toString();
    return Optional.of(
        new Content(
            new Incarnation(bytes.getLong(24)),
            bytes.getLong(32),
            new Epoch(bytes.getLong(16)),
            json.isEmpty() ? Optional.empty() : Optional.of(LayoutJson.parse(json))));
  }

  private static DamagedStorageException damaged(Disk disk, String how) {
    return new DamagedStorageException(
        "the file '"
            + NAME
            + "' of "
            + disk.description()
            + " is "
            + how
            + ", so nobody knows which epochs this unit has"
            + " sealed; rebuild the unit from its replicas on an empty directory");
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(12));
    return (int) crc.getValue();
  }
}
