package corfu.roles.logunit.scrub;

import corfu.protocol.Entry;
import corfu.roles.logunit.compressed.CompressedFile;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.logfile.Footer;
import corfu.roles.logunit.logfile.LogFileContent;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks whether records of a log file are as they were written. Changes no state. */
final class Inspector {

  private final Disk disk;
  private final String name;
  private final List<Long> corrupt = new ArrayList<>();
  private Optional<String> damage = Optional.empty();

  /** An expected record. {@code address} and {@code length} are the entry's. */
  public record Item(long offset, int kind, long address, int length) {
    long end() {
      return offset + RecordFormat.sizeOf(length);
    }
  }

  Inspector(Disk disk, String name) {
    this.disk = disk;
    this.name = name;
  }

  /** Returns the addresses of unreadable entries among the checked records. */
  List<Long> corrupt() {
    return corrupt;
  }

  /** Returns any other damage, which would make a restart fail; empty if there is none. */
  Optional<String> damage() {
    return damage;
  }

  /**
   * Returns the content of a finished file from its footer, or empty if its file header or footer
   * is damaged.
   */
  Optional<LogFileIndex> content(long sequence) {
    try (DiskFile file = CompressedFile.open(disk, name)) {
      if (file instanceof CompressedFile compressed) {
        damage = compressed.damage();
      }
      String place = name + " of " + disk.description();
      if (LogFileContent.headerOf(file, place).sequence() != sequence) {
        damage = Optional.of("its header is another file's");
        return Optional.empty();
      }
      Optional<Footer.Found> footer =
          Footer.read(file).filter(it -> it.sequence() == sequence && damage.isEmpty());
      if (footer.isEmpty() && damage.isEmpty()) {
        damage = Optional.of("its footer can't be read");
      }
      return footer.map(Footer.Found::index);
    } catch (DiskException | DamagedStorageException unreadable) {
      damage = Optional.of(String.valueOf(unreadable.getMessage()));
      return Optional.empty();
    }
  }

  /** Checks records that lie near each other, in ascending order of offset. */
  void inspect(List<Item> items, long nonce) {
    if (items.isEmpty()) {
      return;
    }
    try (DiskFile file = CompressedFile.open(disk, name)) {
      long start = items.getFirst().offset();
      ByteBuffer bytes = read(file, start, items.getLast().end() - start);
      for (Item item : items) {
        int at = (int) (item.offset() - start);
        ByteBuffer record =
            item.end() - start <= bytes.limit()
                ? bytes.slice(at, (int) (item.end() - item.offset()))
                : read(file, item.offset(), item.end() - item.offset()); // a bad sector
        look(item, record.order(ByteOrder.LITTLE_ENDIAN), nonce);
      }
    } catch (DiskException unreadable) {
      damage = Optional.of(String.valueOf(unreadable.getMessage()));
      items.stream().filter(Inspector::isEntry).forEach(item -> corrupt.add(item.address()));
    }
  }

  private static ByteBuffer read(DiskFile file, long from, long length) {
    ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    try {
      bytes.limit(file.read(bytes, from));
    } catch (DiskException unreadable) {
      bytes.limit(0);
    }
    return bytes;
  }

  private void look(Item item, ByteBuffer record, long nonce) {
    boolean isWhole = record.limit() >= item.end() - item.offset();
    if (isEntry(item) && (!isWhole || !holdsEntry(item, record))) {
      corrupt.add(item.address());
    }
    boolean hasHeader =
        isWhole
            && RecordFormat.parse(record, 0, nonce == 0 ? record.getLong(16) : nonce)
                .filter(header -> header.kind() == item.kind())
                .filter(header -> header.address() == item.address())
                .isPresent();
    if (!hasHeader) {
      damage = Optional.of("the record at offset " + item.offset() + " is damaged");
    }
  }

  private static boolean isEntry(Item item) {
    return item.kind() == RecordFormat.DATA || item.kind() == RecordFormat.HOLE;
  }

  private static boolean holdsEntry(Item item, ByteBuffer record) {
    try {
      Entry entry = Entry.wrap(record.slice(RecordFormat.RECORD_HEADER_BYTES, item.length()));
      return entry.address() == item.address()
          && entry.lengthBytes() == item.length()
          && entry.isIntact();
    } catch (IllegalArgumentException noEntry) {
      return false;
    }
  }
}
