package corfu.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The division of a large payload into blocks, each of which has a checksum of its own. All blocks
 * have the same size, except that the last one ends with the payload. The checksums let a reader
 * verify a part of an entry without the rest.
 *
 * @param payloadBytes the length of the payload in bytes, 1 or more
 * @param shift the binary logarithm of a block's size in bytes, from {@link #LEAST_SHIFT} to {@link
 *     #MOST_SHIFT}
 */
public record PayloadBlocks(int payloadBytes, int shift) {

  /** The largest payload without block checksums, in bytes. It is cheap to read as a whole. */
  public static final int LARGEST_UNDIVIDED_BYTES = 16 << 10;

  /** The shift of the smallest blocks, of 4 KiB. */
  public static final int LEAST_SHIFT = 12;

  /** The shift of the largest blocks, of 1 GiB. */
  public static final int MOST_SHIFT = 30;

  /** The largest number of blocks that an appender makes: their checksums have 16 KiB. */
  private static final int MOST_BLOCKS = 1 << 12;

  private static final int SEED_BYTES = 32;

  public PayloadBlocks {
    if (payloadBytes < 1 || shift < LEAST_SHIFT || shift > MOST_SHIFT) {
      throw new IllegalArgumentException(
          "a payload of %d bytes in blocks of 2^%d bytes".formatted(payloadBytes, shift));
    }
  }

  /**
   * Returns the shift of the blocks that an appender divides a payload into, or 0 if the payload is
   * small or its checksums would not fit.
   *
   * @param payloadBytes the length of the payload in bytes
   * @param room the room for checksums in bytes
   */
  static int shiftFor(int payloadBytes, int room) {
    if (payloadBytes <= LARGEST_UNDIVIDED_BYTES) {
      return 0;
    }
    int shift = LEAST_SHIFT;
    while (new PayloadBlocks(payloadBytes, shift).count() > MOST_BLOCKS) {
      shift++;
    }
    return new PayloadBlocks(payloadBytes, shift).checksumBytes() <= room ? shift : 0;
  }

  /** Returns the number of blocks. */
  public int count() {
    return ((payloadBytes - 1) >>> shift) + 1;
  }

  /** Returns the size of all checksums in bytes. */
  public int checksumBytes() {
    return count() * Integer.BYTES;
  }

  /**
   * Returns the number of the block at this offset of the payload. An offset at or behind the end
   * of the payload belongs to the last block.
   *
   * @param offset the offset in bytes, 0 or more
   */
  public int blockAt(long offset) {
    return (int) (Math.min(offset, payloadBytes - 1) >>> shift);
  }

  /**
   * Returns the offset at which a block starts. For the block behind the last one, returns the
   * length of the payload.
   *
   * @param block the block's number, from 0 to {@link #count}
   */
  public int startOf(int block) {
    return (int) Math.min((long) block << shift, payloadBytes);
  }

  /** Returns the length of this block in bytes. */
  public int lengthOf(int block) {
    return startOf(block + 1) - startOf(block);
  }

  /**
   * Computes checksums of blocks of one entry. A checksum covers the entry's address, its append
   * id, the payload's length and the block's number, too: an intact block of another entry, or of
   * another place, does not match. For one thread.
   */
  final class Checksums {
    private final ByteBuffer seed = ByteBuffer.allocate(SEED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    Checksums(long address, AppendId id) {
      seed.putLong(0, address).putLong(8, id.client()).putLong(16, id.sequence());
      seed.putInt(24, payloadBytes);
    }

    /**
     * @param block the block's number
     * @param bytes a buffer with the block's bytes
     * @param at the index of the block's first byte in the buffer
     */
    int of(int block, ByteBuffer bytes, int at) {
      crc.reset();
      crc.update(seed.putInt(28, block).array());
      crc.update(bytes.slice(at, lengthOf(block)));
      return (int) crc.getValue();
    }
  }
}
