package corfu.roles.logunit.logfile;

import corfu.roles.logunit.format.FileWindow;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The last record of a finished log file: its content, so that a restart need not read the entries.
 *
 * <pre>
 *   0        4        8                16            16 + 16 n           16 + 16 n + 80 m
 *   +--------+--------+----------------+-------------+-------------------+---------+----------------+----------------+
 *   | n      | m      | prefix mark    | n entries   | m blocks of trims | streams | footer offset  | "CORFUEND"     |
 *   +--------+--------+----------------+-------------+-------------------+---------+----------------+----------------+
 *
 *   an entry                                       a block of trims
 *   0                8     11     12       16      0                8                16               80
 *   +----------------+-----+------+--------+       +----------------+----------------+----------------+
 *   | address        |off/8| kind | length |       | first address  | record's offset| 512 bits       |
 *   +----------------+-----+------+--------+       +----------------+----------------+----------------+
 * </pre>
 *
 * {@link LogFileStreams} draws the streams; the part is absent if no entry is in any stream. The
 * file ends with the footer, and the last 16 bytes contain its offset. The footer is written after
 * everything before it is durable: a file with an intact footer has no torn tail.
 */
public final class Footer {

  private static final long MAGIC = 0x444e4555_46524f43L; // "CORFUEND"
  private static final int FIXED_BYTES = 32;
  private static final int ENTRY_BYTES = 16;
  private static final int TRIMS_BYTES = 16 + TrimmedSet.BITMAP_BYTES;
  private static final int TRAILER_BYTES = 16;

  private Footer() {}

  /** An intact footer. */
  public record Found(long sequence, long offset, LogFileIndex index) {}

  /** Returns the whole record, to be written at {@code offset}. */
  public static ByteBuffer encode(LogFileIndex index, long sequence, long nonce, long offset) {
    int length =
        FIXED_BYTES
            + ENTRY_BYTES * index.count()
            + TRIMS_BYTES * index.trimsCount()
            + index.streams().encodedBytes();
    ByteBuffer record =
        ByteBuffer.allocate(RecordFormat.RECORD_HEADER_BYTES + length)
            .order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer body =
        record.slice(RecordFormat.RECORD_HEADER_BYTES, length).order(ByteOrder.LITTLE_ENDIAN);
    body.putInt(index.count()).putInt(index.trimsCount()).putLong(index.prefixMark());
    for (int i = 0; i < index.count(); i++) {
      body.putLong(index.address(i)).putLong(index.place(i));
    }
    for (LogFileIndex.Trims trims : index.trims()) {
      body.putLong(trims.base()).putLong(trims.offset()).put(trims.bitmap().duplicate());
    }
    index.streams().encode(body);
    body.putLong(offset).putLong(MAGIC).flip();
    RecordFormat.putHeader(record, RecordFormat.FOOTER, length, sequence, nonce, offset, body);
    return record.clear();
  }

  /** Returns the footer of a file, or empty if it has no intact one. Needs no nonce. */
  public static Optional<Found> read(DiskFile file) {
    long size = file.size();
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    if (size < RecordFormat.FILE_HEADER_BYTES + RecordFormat.sizeOf(FIXED_BYTES)
        || file.read(trailer, size - TRAILER_BYTES) < TRAILER_BYTES
        || trailer.getLong(8) != MAGIC) {
      return Optional.empty();
    }
    long offset = trailer.getLong(0);
    long bytes = size - offset;
    if (offset < RecordFormat.FILE_HEADER_BYTES
        || bytes < RecordFormat.sizeOf(FIXED_BYTES)
        || bytes > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    ByteBuffer record = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(record, offset) < bytes) {
      return Optional.empty();
    }
    long nonce = record.getLong(16);
    return RecordFormat.parse(record, 0, nonce)
        .filter(header -> header.kind() == RecordFormat.FOOTER && header.recordBytes() == bytes)
        .flatMap(header -> decoded(record, header.length()))
        .map(index -> new Found(record.getLong(8), offset, index));
  }

  /** Returns the content, or empty if the body is no footer's in spite of its correct checksum. */
  private static Optional<LogFileIndex> decoded(ByteBuffer record, int length) {
    try {
      return Optional.of(decode(record, length));
    } catch (IllegalArgumentException damaged) {
      return Optional.empty();
    }
  }

  /** Returns whether a footer seems to have started at {@code offset} before it was damaged. */
  static boolean seemsToStart(FileWindow window, long offset, long nonce) {
    boolean trailerSaysSo =
        window
            .at(window.size() - TRAILER_BYTES, TRAILER_BYTES)
            .filter(trailer -> trailer.getLong(8) == MAGIC && trailer.getLong(0) == offset)
            .isPresent();
    boolean headerSaysSo =
        window
            .at(offset, RecordFormat.RECORD_HEADER_BYTES)
            .filter(header -> RecordFormat.mayStartAt(header, 0, nonce))
            .filter(header -> RecordFormat.claimedKind(header, 0) == RecordFormat.FOOTER)
            .isPresent();
    return trailerSaysSo || headerSaysSo;
  }

  private static LogFileIndex decode(ByteBuffer record, int length) {
    record.position(RecordFormat.RECORD_HEADER_BYTES);
    int entries = record.getInt();
    int blocks = record.getInt();
    long bytes = FIXED_BYTES + (long) ENTRY_BYTES * entries + (long) TRIMS_BYTES * blocks;
    if (entries < 0 || blocks < 0 || bytes > length) {
      throw new IllegalArgumentException(
          "a footer of %d bytes with %d entries and %d blocks of trims"
              .formatted(length, entries, blocks));
    }
    int streamsAt = (int) bytes - TRAILER_BYTES;
    LogFileStreams streams =
        length == bytes
            ? new LogFileStreams()
            : LogFileStreams.decode(
                record
                    .duplicate()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(RecordFormat.RECORD_HEADER_BYTES + streamsAt)
                    .limit(RecordFormat.RECORD_HEADER_BYTES + length - TRAILER_BYTES),
                entries);
    LogFileIndex index = new LogFileIndex(streams);
    index.addPrefixMark(notNegative(record.getLong()));
    for (int i = 0; i < entries; i++) {
      index.add(notNegative(record.getLong()), record.getLong());
    }
    for (int i = 0; i < blocks; i++) {
      long base = notNegative(record.getLong());
      long offset = record.getLong();
      ByteBuffer bitmap = ByteBuffer.allocate(TrimmedSet.BITMAP_BYTES);
      bitmap.put(0, record, record.position(), TrimmedSet.BITMAP_BYTES);
      record.position(record.position() + TrimmedSet.BITMAP_BYTES);
      index.addTrims(base, offset, bitmap);
    }
    return index;
  }

  private static long notNegative(long address) {
    if (address < 0) {
      throw new IllegalArgumentException("a footer with the negative address " + address);
    }
    return address;
  }
}
