package corfu.roles;

import corfu.world.Disk;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a small content that is replaced as a whole. It holds the content twice, in slots of
 * equal size. Little-endian.
 *
 * <pre>
 *   0                8        12       16               24       28       32
 *   +----------------+--------+--------+----------------+--------+--------+------------- - -
 *   | magic          | crc32c | length | number          | slot   | version| content
 *   +----------------+--------+--------+----------------+--------+--------+------------- - -
 * </pre>
 *
 * {@code crc32c} covers everything behind it, up to the end of the content. The content has {@code
 * length} bytes. The first content has number 1, and each further content has the next number.
 * {@code slot} is the size of a slot in bytes, half of the file.
 *
 * <p>Content <i>n</i> is first written to slot <i>n</i> mod 2. After it is durable there, it is
 * also written to the other slot, without waiting. Therefore a torn write leaves the previous
 * content intact in the other slot, and later rot leaves one intact copy.
 *
 * <p>A write touches only blocks that the file already has, so its sync is one write of the disk.
 * Replacing the file would take two commits of the file system's journal. The file is replaced, by
 * its name, only for a content that is larger than a slot.
 *
 * <p>For one thread at a time.
 */
public final class TwinFile {

  private static final Logger LOG = LoggerFactory.getLogger(TwinFile.class);

  private static final int CHECKSUM_AT = 8;
  private static final int CHECKED_FROM = 12;
  private static final int NUMBER_AT = 16;
  private static final int SLOT_BYTES_AT = 24;
  private static final int VERSION_AT = 28;
  private static final int HEADER_BYTES = 32;

  /** Each slot has its own blocks of the file system. */
  private static final int BLOCK_BYTES = 4096;

  private static final int SMALLEST_SLOT_BYTES = 2 * BLOCK_BYTES;

  private final Disk disk;
  private final String name;
  private final long magic;
  private final int version;
  private final int maxBytes;
  private long number;
  private int slotBytes; // 0 while no file exists or was read

  /**
   * @param disk the file's directory
   * @param name the file's name
   * @param magic the first eight bytes of each slot
   * @param version the version of the content's format
   * @param maxBytes the size of the largest content in bytes
   */
  public TwinFile(Disk disk, String name, long magic, int version, int maxBytes) {
    this.disk = disk;
    this.name = name;
    this.magic = magic;
    this.version = version;
    this.maxBytes = maxBytes;
  }

  /** The file exists, but is damaged; the message describes the damage. */
  public static final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message);
    }
  }

  /**
   * Returns the name of the new file that will replace the file of a name; it is void after a
   * crash.
   */
  public static String newNameOf(String name) {
    return name + ".tmp";
  }

  private record Copy(int slot, long number, ByteBuffer content) {}

  /** Deletes a file with a useless content that is not needed. Afterwards there is no file. */
  public void discard() {
    disk.delete(name);
    number = 0;
    slotBytes = 0;
  }

  /**
   * Returns the last written content, from byte 0 of the buffer, little-endian; empty if there is
   * no file. The content is then durable in both slots.
   *
   * @throws DamagedException if neither slot is intact, or the file has another size
   */
  public Optional<ByteBuffer> read() {
    if (!disk.exists(name)) {
      return Optional.empty();
    }
    try (DiskFile file = disk.open(name)) {
      ByteBuffer bytes = bytesOf(file);
      int half = bytes.limit() / 2;
      Optional<Copy> first = copyIn(0, bytes.slice(0, half));
      Optional<Copy> second = copyIn(1, bytes.slice(half, half));
      Copy newest = newest(first, second);
      number = newest.number();
      slotBytes = half;
      if (first.isEmpty() || second.isEmpty()) {
        LOG.warn(
            "slot {} of file '{}' in {} was damaged, or torn by a crash; it is written again from"
                + " the other one",
            first.isEmpty() ? 0 : 1,
            name,
            disk.description());
      }
      makeSure(file, newest);
      return Optional.of(newest.content());
    }
  }

  /**
   * Makes the found content durable in both slots before anybody acts on it: it may never have been
   * synced. Each slot is written only while the other one is safe.
   */
  private void makeSure(DiskFile file, Copy found) {
    ByteBuffer record = record(found.content(), number, slotBytes);
    file.sync();
    file.write(record.duplicate(), slot(found.slot() + 1));
    file.sync();
    file.write(record, slot(found.slot()));
    file.sync();
  }

  private ByteBuffer bytesOf(DiskFile file) {
    long size = file.size();
    if (size < 2 * SMALLEST_SLOT_BYTES || size > 4L * (maxBytes + SMALLEST_SLOT_BYTES)) {
      throw new DamagedException("it has " + size + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size);
    file.read(bytes, 0);
    return bytes.flip();
  }

  private Copy newest(Optional<Copy> first, Optional<Copy> second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first
          .or(() -> second)
          .orElseThrow(
              () ->
                  new DamagedException(
                      "neither of its slots is intact, of format "
                          + version
                          + ", and half of the file"));
    }
    return first.get().number() > second.get().number() ? first.get() : second.get();
  }

  private Optional<Copy> copyIn(int which, ByteBuffer unordered) {
    ByteBuffer slot = unordered.order(ByteOrder.LITTLE_ENDIAN);
    int length = slot.getInt(CHECKED_FROM);
    boolean isIntact =
        slot.getLong(0) == magic
            && length >= 0
            && length <= slot.limit() - HEADER_BYTES
            && slot.getInt(CHECKSUM_AT) == checksum(slot, length)
            && slot.getInt(SLOT_BYTES_AT) == slot.limit()
            && slot.getInt(VERSION_AT) == version;
    return isIntact
        ? Optional.of(
            new Copy(
                which,
                slot.getLong(NUMBER_AT),
                slot.slice(HEADER_BYTES, length).order(ByteOrder.LITTLE_ENDIAN)))
        : Optional.empty();
  }

  /**
   * Makes the content durable. After a failure, a later read returns either the previous content or
   * this one.
   *
   * @param content the bytes up to the buffer's limit; not changed
   */
  public void write(ByteBuffer content) {
    if (content.limit() > maxBytes) {
      throw new IllegalArgumentException(
          "%d bytes for file '%s', where %d are the limit"
              .formatted(content.limit(), name, maxBytes));
    }
    if (content.limit() > slotBytes - HEADER_BYTES) {
      replaceFile(content);
      return;
    }
    long next = number + 1;
    ByteBuffer record = record(content, next, slotBytes);
    try (DiskFile file = disk.open(name)) {
      file.write(record.duplicate(), slot(next));
      file.sync();
      number = next; // after a failure the next write uses this slot again: the other is safe
      file.write(record, slot(next + 1));
    }
  }

  private void replaceFile(ByteBuffer content) {
    int room = Math.max(SMALLEST_SLOT_BYTES, 2 * (HEADER_BYTES + content.limit()));
    int larger = Math.ceilDiv(room, BLOCK_BYTES) * BLOCK_BYTES;
    slotBytes = 0; // until it is known which file exists
    String newName = newNameOf(name);
    disk.delete(newName);
    try (DiskFile file = disk.create(newName)) {
      ByteBuffer slot = ByteBuffer.allocate(larger);
      slot.put(0, record(content, number + 1, larger), 0, HEADER_BYTES + content.limit());
      file.write(new ByteBuffer[] {slot.duplicate(), slot}, 0);
      file.sync();
    }
    disk.rename(newName, name);
    disk.syncNames();
    number++;
    slotBytes = larger;
  }

  /** Returns the offset of the slot for a content with this number. */
  private long slot(long ofNumber) {
    return (ofNumber & 1) * slotBytes;
  }

  private ByteBuffer record(ByteBuffer content, long itsNumber, int itsSlotBytes) {
    int length = content.limit();
    ByteBuffer record = ByteBuffer.allocate(HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
    record.putLong(0, magic).putInt(CHECKED_FROM, length).putLong(NUMBER_AT, itsNumber);
    record.putInt(SLOT_BYTES_AT, itsSlotBytes).putInt(VERSION_AT, version);
    record.put(HEADER_BYTES, content, 0, length);
    return record.putInt(CHECKSUM_AT, checksum(record, length));
  }

  private static int checksum(ByteBuffer record, int length) {
    CRC32C crc = new CRC32C();
    crc.update(record.slice(CHECKED_FROM, HEADER_BYTES - CHECKED_FROM + length));
    return (int) crc.getValue();
  }
}
