package corfu.roles.logunit.format;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of a log file: a file header, then records. Little-endian, everything on multiples of
 * 8.
 *
 * <pre>
 *   file header
 *   0                8        12       16               24               32                64
 *   +----------------+--------+--------+----------------+----------------+-----------------+
 *   | "CORFUSEG"     | crc32c | version| sequence       | nonce          | 0               |
 *   +----------------+--------+--------+----------------+----------------+-----------------+
 *
 *   record
 *   0        4        8                16               24     25    28       32
 *   +--------+--------+----------------+----------------+------+-----+--------+------------- - - -+
 *   | crc32c | length | address        | nonce          | kind |  0  | durable| body, padded to 8 |
 *   +--------+--------+----------------+----------------+------+-----+--------+------------- - - -+
 * </pre>
 *
 * The file header's crc32c covers everything behind it. A record's crc32c covers the header behind
 * it and the body, except if the body is an entry, which has a checksum of its own.
 *
 * <p>The nonce is drawn for each file, so that bytes of another file that were left on the disk are
 * never read as records of this file. The field {@code durable} is the part of this file that was
 * known to be durable when the record was written. It distinguishes a torn tail from damage.
 */
public final class RecordFormat {

  public static final int FILE_HEADER_BYTES = 64;
  public static final int RECORD_HEADER_BYTES = 32;

  /** An entry, data or hole. Body: the entry as it travelled. */
  public static final int DATA = 1;

  public static final int HOLE = 2;

  /**
   * All trimmed addresses of one block. The record's address is the block's first one. Body: the
   * block's bits.
   */
  public static final int TRIMS = 3;

  /** A prefix trim of everything below the record's address. No body. */
  public static final int PREFIX = 4;

  /**
   * A mark whose {@code durable} field tells what was durable. The next record replaces it. No
   * body.
   */
  public static final int MARK = 5;

  /** The last record of a file; see {@code Footer}. Its address is the file's sequence number. */
  public static final int FOOTER = 6;

  /** A trim of a stream below the record's address, a stream address. Body: the stream's id. */
  public static final int STREAM = 7;

  /** The body size of a {@link #STREAM} record in bytes. */
  public static final int STREAM_BYTES = 16;

  private static final long FILE_MAGIC = 0x47455355_46524f43L; // "CORFUSEG"
  private static final int VERSION = 1;

  private static final int LENGTH_AT = 4;
  private static final int ADDRESS_AT = 8;
  private static final int NONCE_AT = 16;
  private static final int KIND_AT = 24;
  private static final int DURABLE_AT = 28;

  private RecordFormat() {}

  /** The header of a record. */
  public record Header(int kind, int length, long address, long durable) {

    boolean isEntry() {
      return kind == DATA || kind == HOLE;
    }

    /** Returns the size of the whole record, with its header and padding, in bytes. */
    public long recordBytes() {
      return sizeOf(length);
    }
  }

  /** The header of a file. */
  public record FileHeader(long sequence, long nonce) {}

  /** Returns the size of a record with a body of this length, in bytes. */
  public static long sizeOf(long bodyBytes) {
    return RECORD_HEADER_BYTES + (bodyBytes + 7 & ~7L);
  }

  public static ByteBuffer fileHeader(long sequence, long nonce) {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(0, FILE_MAGIC).putInt(12, VERSION).putLong(16, sequence).putLong(24, nonce);
    return header.putInt(8, crc(header, 12, FILE_HEADER_BYTES - 12));
  }

  /**
   * Returns the file header, or empty if the bytes are no intact file header of a version that this
   * program knows.
   */
  public static Optional<FileHeader> parseFileHeader(ByteBuffer header) {
    boolean intact =
        header.limit() >= FILE_HEADER_BYTES
            && header.getLong(0) == FILE_MAGIC
            && header.getInt(8) == crc(header, 12, FILE_HEADER_BYTES - 12)
            && header.getInt(12) == VERSION;
    return intact
        ? Optional.of(new FileHeader(header.getLong(16), header.getLong(24)))
        : Optional.empty();
  }

  /**
   * Writes a record header at the buffer's position, and moves the position behind it. The body
   * follows; it is empty for entries.
   */
  public static void putHeader(
      ByteBuffer out,
      int kind,
      int length,
      long address,
      long nonce,
      long durable,
      ByteBuffer body) {
    int at = out.position();
    out.putInt(at + LENGTH_AT, length)
        .putLong(at + ADDRESS_AT, address)
        .putLong(at + NONCE_AT, nonce);
    out.putInt(at + KIND_AT, kind).putInt(at + DURABLE_AT, (int) durable);
    CRC32C crc = new CRC32C();
    crc.update(out.duplicate().limit(at + RECORD_HEADER_BYTES).position(at + LENGTH_AT));
    crc.update(body.duplicate());
    out.putInt(at, (int) crc.getValue());
    out.position(at + RECORD_HEADER_BYTES);
  }

  /**
   * Returns a mark for the offset {@code durable}, which tells that everything before it is
   * durable.
   */
  public static ByteBuffer mark(long nonce, long durable) {
    ByteBuffer mark = ByteBuffer.allocate(RECORD_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    putHeader(mark, MARK, 0, 0, nonce, durable, ByteBuffer.allocate(0));
    return mark.flip();
  }

  /**
   * Returns whether a record header of the file with this nonce may start at {@code at}. The test
   * is cheap, and wrong one time in 2^64.
   */
  public static boolean mayStartAt(ByteBuffer bytes, int at, long nonce) {
    return bytes.getLong(at + NONCE_AT) == nonce;
  }

  /** Returns the unchecked nonce that the record at {@code at} claims. */
  public static long claimedNonce(ByteBuffer bytes, int at) {
    return bytes.getLong(at + NONCE_AT);
  }

  /** Returns the unchecked body length that the record at {@code at} claims. */
  public static int claimedBodyBytes(ByteBuffer bytes, int at) {
    return bytes.getInt(at + LENGTH_AT);
  }

  /** Returns the unchecked kind that the record at {@code at} claims. */
  public static int claimedKind(ByteBuffer bytes, int at) {
    return bytes.getInt(at + KIND_AT);
  }

  /** Returns whether the record's checksum covers its body. */
  public static boolean coversBody(ByteBuffer bytes, int at) {
    int kind = bytes.getInt(at + KIND_AT);
    return kind != DATA && kind != HOLE;
  }

  /**
   * Returns the record header at {@code at}, or empty if the header, or a body that it covers, is
   * damaged or belongs to another file.
   */
  public static Optional<Header> parse(ByteBuffer bytes, int at, long nonce) {
    int length = bytes.getInt(at + LENGTH_AT);
    int covered = RECORD_HEADER_BYTES - LENGTH_AT + (coversBody(bytes, at) ? length : 0);
    int kind = bytes.getInt(at + KIND_AT);
    boolean intact =
        mayStartAt(bytes, at, nonce)
            && kind >= DATA
            && kind <= STREAM
            && length >= 0
            && covered >= 0
            && covered <= bytes.limit() - at - LENGTH_AT
            && bytes.getInt(at) == crc(bytes, at + LENGTH_AT, covered)
            && bytes.getLong(at + ADDRESS_AT) >= 0;
    return intact
        ? Optional.of(
            new Header(
                kind,
                length,
                bytes.getLong(at + ADDRESS_AT),
                Integer.toUnsignedLong(bytes.getInt(at + DURABLE_AT))))
        : Optional.empty();
  }

  private static int crc(ByteBuffer bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(from + length).position(from));
    return (int) crc.getValue();
  }

  /**
   * Returns whether the entry's stream ids ascend and none of its stream addresses exceeds its log
   * address. A hole must have no streams.
   */
  public static boolean hasSoundStreams(Entry entry) {
    if (entry.streamCount() > 0 && entry.isHole()) {
      return false;
    }
    if (!entry.hasPlausibleStreams()) {
      return false;
    }
    for (int i = 0; i < entry.streamCount(); i++) {
      if (entry.streamAddress(i) > entry.address()) {
        return false;
      }
    }
    return entry.streamCount() == 0 || !entry.streamId(0).equals(StreamId.NONE);
  }
}
