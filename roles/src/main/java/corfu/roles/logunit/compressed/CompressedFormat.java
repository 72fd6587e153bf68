package corfu.roles.logunit.compressed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of a compressed log file. Little-endian.
 *
 * <pre>
 *   0        64                                          table                  end - 64    end
 *   +--------+-------+-------+- - -+-------+------- - - -+-------------+--------+-----------+
 *   | header | block | block |     | block | footer's    | n offsets   | crc32c | header    |
 *   |        |       |       |     |       | blocks      | of blocks   |        | once more |
 *   +--------+-------+-------+- - -+-------+------- - - -+-------------+--------+-----------+
 *
 *   header
 *   0                8        12       16               24               32       36       40       44   64
 *   +----------------+--------+--------+----------------+----------------+--------+--------+--------+----+
 *   | "CORFUSEZ"     | crc32c | version| sequence       | nonce          | content| records| n      | 0  |
 *   +----------------+--------+--------+----------------+----------------+--------+--------+--------+----+
 *
 *   block
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+------- - -
 *   | crc32c | number | length | plain  | length bytes
 *   +--------+--------+--------+--------+------- - -
 * </pre>
 *
 * {@code content} is the size of the log file that the blocks contain together, {@code records} the
 * offset at which its records end and its footer starts, and {@code n} the number of blocks. The
 * first blocks have {@value #BLOCK_BYTES} bytes of the records each, the last one of them the rest;
 * the blocks behind them have the footer in the same way. So no block has both: damage of one does
 * not reach the other.
 *
 * <p>{@code plain} is the number of bytes that a block has after decompression (raw deflate). If it
 * equals {@code length}, the bytes are stored as they are. A block's crc32c covers everything
 * behind it, that of the header bytes 12 to 63. The table has four bytes for each block, the offset
 * of its header, then their crc32c. If the table is damaged, the blocks are found one behind the
 * other. The nonce is drawn for each compressed file and starts each block's checksum, so that a
 * block of another file is never taken for one of this file.
 */
final class CompressedFormat {

  /** The size of a block's content. Larger ones compress little better, and cost each read more. */
  static final int BLOCK_BYTES = 32 << 10;

  static final int HEADER_BYTES = 64;
  static final int BLOCK_HEADER_BYTES = 16;

  private static final long MAGIC = 0x5a455355_46524f43L; // "CORFUSEZ"
  private static final int VERSION = 1;
  private static final int CHECKSUM_AT = 8;
  private static final int CHECKED_FROM = 12;

  private CompressedFormat() {}

  /**
   * The header of a compressed file.
   *
   * @param sequence the log file's sequence number
   * @param nonce the random number of this compressed file
   * @param contentBytes the size of the log file in bytes
   * @param recordsEnd the offset in the log file at which its records end
   */
  record Header(long sequence, long nonce, int contentBytes, int recordsEnd) {

    /** Returns the number of blocks. */
    int blocks() {
      return recordBlocks() + Math.ceilDiv(contentBytes - recordsEnd, BLOCK_BYTES);
    }

    private int recordBlocks() {
      return Math.ceilDiv(recordsEnd, BLOCK_BYTES);
    }

    /** Returns the number of the block with the byte at this offset of the content. */
    int blockAt(long offset) {
      return offset < recordsEnd
          ? (int) (offset / BLOCK_BYTES)
          : recordBlocks() + (int) ((offset - recordsEnd) / BLOCK_BYTES);
    }

    /** Returns the offset of the first byte of this block in the content. */
    int startOf(int number) {
      return number < recordBlocks()
          ? number * BLOCK_BYTES
          : recordsEnd + (number - recordBlocks()) * BLOCK_BYTES;
    }

    /** Returns the size of this block's content in bytes. */
    int plainBytes(int number) {
      int end = number < recordBlocks() ? recordsEnd : contentBytes;
      return Math.min(BLOCK_BYTES, end - startOf(number));
    }

    /** Returns the size of the table with its checksum in bytes. */
    int tableBytes() {
      return (blocks() + 1) * Integer.BYTES;
    }
  }

  /** Returns the largest size of a compressed file with this content in bytes. */
  static long mostBytes(long contentBytes) {
    long blocks = contentBytes / BLOCK_BYTES + 2;
    return contentBytes
        + blocks * (BLOCK_HEADER_BYTES + Integer.BYTES)
        + 2 * HEADER_BYTES
        + Integer.BYTES;
  }

  static ByteBuffer encode(Header header) {
    ByteBuffer bytes = buffer(HEADER_BYTES);
    bytes.putLong(0, MAGIC).putInt(12, VERSION);
    bytes.putLong(16, header.sequence()).putLong(24, header.nonce());
    bytes.putInt(32, header.contentBytes()).putInt(36, header.recordsEnd());
    bytes.putInt(40, header.blocks());
    return bytes.putInt(CHECKSUM_AT, checksum(bytes, CHECKED_FROM, HEADER_BYTES));
  }

  /** Returns the header in these bytes, or empty if it is none, or is damaged. */
  static Optional<Header> parse(ByteBuffer bytes) {
    if (bytes.limit() < HEADER_BYTES
        || bytes.getLong(0) != MAGIC
        || bytes.getInt(12) != VERSION
        || bytes.getInt(CHECKSUM_AT) != checksum(bytes, CHECKED_FROM, HEADER_BYTES)) {
      return Optional.empty();
    }
    int content = bytes.getInt(32);
    int records = bytes.getInt(36);
    if (records < 0 || content < records) {
      return Optional.empty();
    }
    return Optional.of(new Header(bytes.getLong(16), bytes.getLong(24), content, records))
        .filter(header -> header.blocks() == bytes.getInt(40));
  }

  /** Writes the header of the block whose stored bytes follow it in {@code block}. */
  static void putBlockHeader(ByteBuffer block, Header file, int number, int plainBytes) {
    block.putInt(4, number).putInt(8, block.limit() - BLOCK_HEADER_BYTES).putInt(12, plainBytes);
    block.putInt(0, blockChecksum(block, file));
  }

  /** Returns whether this is the block with this number, undamaged. */
  static boolean isBlock(ByteBuffer block, Header file, int number) {
    return block.limit() > BLOCK_HEADER_BYTES
        && block.getInt(4) == number
        && block.getInt(8) == block.limit() - BLOCK_HEADER_BYTES
        && block.getInt(12) == file.plainBytes(number)
        && block.getInt(0) == blockChecksum(block, file);
  }

  /**
   * Returns the number of stored bytes that a block's header claims, or -1 if it is implausible.
   */
  static int claimedBytes(ByteBuffer blockHeader, Header file, int number) {
    int length = blockHeader.getInt(8);
    boolean isPlausible =
        blockHeader.getInt(4) == number
            && blockHeader.getInt(12) == file.plainBytes(number)
            && length > 0
            && length <= file.plainBytes(number);
    return isPlausible ? length : -1;
  }

  private static int blockChecksum(ByteBuffer block, Header file) {
    CRC32C crc = new CRC32C();
    crc.update(buffer(Long.BYTES).putLong(0, file.nonce()));
    crc.update(block.duplicate().position(4));
    return (int) crc.getValue();
  }

  /** Returns the CRC32C of a part of these bytes. */
  static int checksum(ByteBuffer bytes, int from, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(end).position(from));
    return (int) crc.getValue();
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
