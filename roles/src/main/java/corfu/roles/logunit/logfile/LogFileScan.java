package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.FileWindow;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a log file record by record if it has no footer.
 *
 * <p>Each record tells how much of the file was durable when it was written. Damage behind that
 * offset, at the end of the last file, is a torn tail: nothing there was acknowledged, so it is
 * cut. Damage before that offset was acknowledged: the record stays, and its readers learn that it
 * is corrupt. If the address of such a record is unknown, the file is refused.
 */
public final class LogFileScan {

  private final FileWindow window;
  private final String place;
  private final RecordFormat.FileHeader header;
  private final List<Damage> damages = new ArrayList<>();
  private LogFileIndex index = new LogFileIndex();
  private long durable;
  private long end;
  private long garbageEnd;

  /**
   * The content of a scanned file.
   *
   * @param index the content
   * @param end the end of the records
   * @param cutBytes the size of the garbage behind them, a torn tail
   * @param corrupt the places of damaged entries
   */
  public record Result(LogFileIndex index, long end, long cutBytes, List<String> corrupt) {}

  /**
   * @param offset the offset of the damaged record
   * @param address the address of the damaged entry, or -1 if it is unknown
   */
  private record Damage(long offset, long address) {}

  private LogFileScan(DiskFile file, String place, RecordFormat.FileHeader header) {
    this.window = new FileWindow(file);
    this.place = place;
    this.header = header;
  }

  /**
   * Reads the file.
   *
   * @param file the file
   * @param place its name and directory, for messages
   * @param header its header
   * @param isLast whether it may have a torn tail
   * @throws DamagedStorageException if an acknowledged record cannot be distinguished from nothing
   */
  public static Result scan(
      DiskFile file, String place, RecordFormat.FileHeader header, boolean isLast) {
    LogFileScan scan = new LogFileScan(file, place, header);
    scan.walk(file.size());
    scan.judgeTheEnd(isLast);
    Optional<Damage> cut =
        scan.damages.stream().filter(damage -> damage.offset >= scan.durable).findFirst();
    List<Damage> kept = scan.damages.stream().filter(d -> d.offset < scan.durable).toList();
    List<String> corrupt = kept.stream().map(scan::describe).toList();
    if (cut.isPresent()) {
      long garbageEnd = Math.max(scan.garbageEnd, scan.end);
      scan.walk(cut.get().offset);
      scan.garbageEnd = garbageEnd;
    }
    kept.forEach(damage -> scan.index.streams().addDamaged(damage.address));
    return new Result(scan.index, scan.end, Math.max(0, scan.garbageEnd - scan.end), corrupt);
  }

  private String describe(Damage damage) {
    if (damage.address < 0) {
      throw new DamagedStorageException(
          "a durable record at offset %d of %s is damaged, and its address is unknown;"
                  .formatted(damage.offset, place)
              + " rebuild this unit from its replicas on an empty directory");
    }
    return "address %d at offset %d of %s".formatted(damage.address, damage.offset, place);
  }

  private void walk(long limit) {
    index = new LogFileIndex();
    damages.clear();
    long position = RecordFormat.FILE_HEADER_BYTES;
    end = position;
    while (position >= 0 && position < limit) {
      Optional<RecordFormat.Header> record = headerAt(position);
      if (record.isEmpty()) {
        position = passDamage(position);
      } else if (record.get().kind() == RecordFormat.FOOTER) {
        durable = Math.max(durable, position);
        return;
      } else {
        take(record.get(), position);
        position += record.get().recordBytes();
        if (record.get().kind() != RecordFormat.MARK) { // the next record replaces a mark
          end = position;
        }
      }
    }
  }

  private Optional<RecordFormat.Header> headerAt(long position) {
    Optional<ByteBuffer> fixed = window.at(position, RecordFormat.RECORD_HEADER_BYTES);
    if (fixed.isEmpty() || !RecordFormat.mayStartAt(fixed.get(), 0, header.nonce())) {
      return Optional.empty();
    }
    int body = RecordFormat.claimedBodyBytes(fixed.get(), 0);
    if (body < 0 || !RecordFormat.coversBody(fixed.get(), 0)) {
      return RecordFormat.parse(fixed.get(), 0, header.nonce())
          .filter(record -> window.reaches(position + record.recordBytes()));
    }
    return window
        .at(position, RecordFormat.RECORD_HEADER_BYTES + (long) body)
        .flatMap(whole -> RecordFormat.parse(whole, 0, header.nonce()));
  }

  private void take(RecordFormat.Header header, long position) {
    durable = Math.max(durable, header.durable());
    switch (header.kind()) {
      case RecordFormat.DATA, RecordFormat.HOLE -> {
        Optional<Entry> entry =
            entryAt(position).filter(there -> there.address() == header.address());
        if (entry.isPresent()) {
          add(entry.get(), position);
        } else {
          boolean hole = header.kind() == RecordFormat.HOLE;
          index.add(header.address(), position, header.length(), hole);
          damages.add(new Damage(position, header.address()));
        }
      }
      case RecordFormat.TRIMS -> {
        ByteBuffer bitmap = ByteBuffer.allocate(TrimmedSet.BITMAP_BYTES);
        window
            .at(position + RecordFormat.RECORD_HEADER_BYTES, TrimmedSet.BITMAP_BYTES)
            .ifPresent(bitmap::put);
        index.addTrims(header.address(), position, bitmap.flip());
      }
      case RecordFormat.PREFIX -> index.addPrefixMark(header.address());
      case RecordFormat.STREAM ->
          window
              .at(position + RecordFormat.RECORD_HEADER_BYTES, RecordFormat.STREAM_BYTES)
              .map(id -> new StreamId(id.getLong(0), id.getLong(8)))
              .ifPresent(stream -> index.streams().addMark(stream, header.address(), position));
      default -> {} // a mark has only its durable field
    }
  }

  private void add(Entry entry, long position) {
    if (RecordFormat.hasSoundStreams(entry)) {
      index.add(entry, position);
    } else {
      index.add(entry.address(), position, entry.lengthBytes(), entry.isHole());
      index.streams().addDamaged(entry.address());
    }
  }

  /** Returns an intact entry whose record starts here, even if the record header is damaged. */
  private Optional<Entry> entryAt(long position) {
    long at = position + RecordFormat.RECORD_HEADER_BYTES;
    return window
        .at(at, Entry.HEADER_BYTES)
        .map(Entry::claimedLength)
        .filter(length -> length >= Entry.HEADER_BYTES)
        .flatMap(length -> window.at(at, length))
        .flatMap(LogFileScan::wrap)
        .filter(Entry::isIntact);
  }

  private static Optional<Entry> wrap(ByteBuffer bytes) {
    try {
      return Optional.of(Entry.wrap(bytes));
    } catch (IllegalArgumentException noEntry) {
      return Optional.empty();
    }
  }

  /** Returns the offset from which to continue behind damage, or -1 if nothing follows. */
  private long passDamage(long position) {
    long next = nextRecord(position + 8);
    Optional<Entry> entry = entryAt(position);
    if (entry.isPresent()) {
      long behind = position + RecordFormat.sizeOf(entry.get().lengthBytes());
      if (next < 0 || next >= behind) {
        add(entry.get(), position);
        end = behind;
        return behind;
      }
    }
    if (next >= 0) {
      damages.add(new Damage(position, -1));
    }
    return next;
  }

  private long nextRecord(long from) {
    garbageEnd = window.endOfContent(from - 8);
    for (long at = from; at + RecordFormat.RECORD_HEADER_BYTES <= garbageEnd; at += 8) {
      if (headerAt(at).isPresent()) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Judges the bytes behind the last intact record: the rest of a footer, zeros, or a torn tail. If
   * there can be no torn tail, they are damage.
   */
  private void judgeTheEnd(boolean isLast) {
    boolean garbage = garbageEnd > end;
    if (garbage && isFooter()) {
      durable = Math.max(durable, end);
      garbageEnd = end;
    } else if (!isLast) {
      durable = Math.max(durable, Long.MAX_VALUE);
      if (garbage) {
        damages.add(new Damage(end, -1));
      }
    }
  }

  /**
   * Returns whether the bytes behind the last record are a damaged footer, or an incompletely
   * written one, perhaps over a mark.
   */
  private boolean isFooter() {
    if (Footer.seemsToStart(window, end, header.nonce())) {
      return true;
    }
    ByteBuffer footer = Footer.encode(index, header.sequence(), header.nonce(), end);
    ByteBuffer mark = RecordFormat.mark(header.nonce(), end);
    for (long at = end; at < garbageEnd; at++) {
      byte there = window.at(at, 1).map(one -> one.get(0)).orElse((byte) 0);
      if (there != 0 && !hasAt(footer, at - end, there) && !hasAt(mark, at - end, there)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasAt(ByteBuffer expected, long at, byte there) {
    return at < expected.limit() && expected.get((int) at) == there;
  }
}
