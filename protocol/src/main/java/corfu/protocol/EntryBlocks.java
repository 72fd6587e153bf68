package corfu.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Some blocks of one entry, in order, with the checksums that the appender computed. A log unit
 * answers with them where a reader needs only a part of a large entry. Little-endian.
 *
 * <pre>
 *   0                8                16               24       28       32       36   37       40
 *   +----------------+----------------+----------------+--------+--------+--------+----+--------+-------- - -+-------- - -
 *   | log address    | append client  | append number  |payload | first  | count  |shft| 0      | checksums  | blocks
 *   +----------------+----------------+----------------+--------+--------+--------+----+--------+-------- - -+-------- - -
 * </pre>
 *
 * The field {@code payload} is the length of the entry's payload, {@code first} the number of the
 * first block, and {@code shft} the binary logarithm of a block's size. There is a checksum of four
 * bytes for each block. All fields are covered by each checksum, or determine the places of the
 * blocks and the checksums.
 *
 * <p>Immutable: nobody may change the bytes that were passed to {@link #wrap}. Blocks in a reply
 * may be valid only for as long as the reply; {@link #copy} returns blocks that stay valid.
 */
public final class EntryBlocks {

  public static final int HEADER_BYTES = 40;

  private static final int CLIENT_AT = 8;
  private static final int SEQUENCE_AT = 16;
  private static final int PAYLOAD_AT = 24;
  private static final int FIRST_AT = 28;
  private static final int COUNT_AT = 32;
  private static final int SHIFT_AT = 36;

  private final ByteBuffer bytes;
  private final PayloadBlocks blocks;

  private EntryBlocks(ByteBuffer bytes, PayloadBlocks blocks) {
    this.bytes = bytes;
    this.blocks = blocks;
  }

  /** Returns the size of this many blocks from {@code first} on, with their header, in bytes. */
  public static int lengthOf(PayloadBlocks blocks, int first, int count) {
    int payload = blocks.startOf(first + count) - blocks.startOf(first);
    return Math.addExact(HEADER_BYTES + count * Integer.BYTES, payload);
  }

  /**
   * Writes the header at index 0 of the buffer. The checksums and the blocks follow it.
   *
   * @param out a little-endian buffer of {@link #lengthOf} bytes
   * @param first the number of the first block
   * @param count the number of blocks, 1 or more
   */
  public static void putHeader(ByteBuffer out, EntryOutline entry, int first, int count) {
    out.putLong(0, entry.address());
    out.putLong(CLIENT_AT, entry.id().client()).putLong(SEQUENCE_AT, entry.id().sequence());
    out.putInt(PAYLOAD_AT, entry.blocks().payloadBytes());
    out.putInt(FIRST_AT, first).putInt(COUNT_AT, count).putInt(SHIFT_AT, entry.blocks().shift());
  }

  /**
   * Returns the blocks that start at the buffer's position. They share the buffer's bytes; the
   * buffer's position does not change. This method checks the shape, but no checksum: see {@link
   * #isIntact}.
   *
   * @throws IllegalArgumentException if no blocks of any content could have this shape
   */
  public static EntryBlocks wrap(ByteBuffer buffer) {
    if (buffer.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException(
          "blocks have at least %d bytes, but only %d are there"
              .formatted(HEADER_BYTES, buffer.remaining()));
    }
    ByteBuffer view = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    PayloadBlocks blocks = new PayloadBlocks(view.getInt(PAYLOAD_AT), view.getInt(SHIFT_AT));
    int first = view.getInt(FIRST_AT);
    int count = view.getInt(COUNT_AT);
    if (view.getLong(0) < 0
        || first < 0
        || count < 1
        || count > blocks.count() - first
        || count > view.capacity() / Integer.BYTES
        || blocks.startOf(first + count) - blocks.startOf(first)
            > view.capacity() - HEADER_BYTES - count * Integer.BYTES) {
      throw new IllegalArgumentException(
          "%d blocks from block %d on, of %d bytes at address %d, where %d bytes are there"
              .formatted(count, first, blocks.payloadBytes(), view.getLong(0), view.capacity()));
    }
    ByteBuffer own = view.slice(0, lengthOf(blocks, first, count)).order(ByteOrder.LITTLE_ENDIAN);
    return new EntryBlocks(own, blocks);
  }

  /** Returns the log address of the entry. */
  public long address() {
    return bytes.getLong(0);
  }

  /** Returns the id of the append. */
  public AppendId id() {
    return new AppendId(bytes.getLong(CLIENT_AT), bytes.getLong(SEQUENCE_AT));
  }

  /** Returns the length of the entry's whole payload in bytes. */
  public int payloadBytes() {
    return blocks.payloadBytes();
  }

  private int first() {
    return bytes.getInt(FIRST_AT);
  }

  private int count() {
    return bytes.getInt(COUNT_AT);
  }

  /** Returns the offset in the payload of the first byte of these blocks. */
  public int from() {
    return blocks.startOf(first());
  }

  /** Returns the offset in the payload behind the last byte of these blocks. */
  public int to() {
    return blocks.startOf(first() + count());
  }

  /**
   * Returns whether the checksums prove that these are the bytes that the appender sent, for this
   * address and this place in the payload, and that the payload has this length.
   */
  public boolean isIntact() {
    PayloadBlocks.Checksums checksums = blocks.new Checksums(address(), id());
    int at = HEADER_BYTES + count() * Integer.BYTES;
    for (int i = 0; i < count(); i++) {
      int block = first() + i;
      if (checksums.of(block, bytes, at) != bytes.getInt(HEADER_BYTES + i * Integer.BYTES)) {
        return false;
      }
      at += blocks.lengthOf(block);
    }
    return true;
  }

  /** Returns whether these blocks have all bytes of the range that the payload has. */
  public boolean covers(PayloadRange range) {
    return range.address() == address()
        && from() <= range.startIn(payloadBytes())
        && to() >= range.endIn(payloadBytes());
  }

  /**
   * Returns a read-only view of the payload's bytes in this range.
   *
   * @param range a range that these blocks {@linkplain #covers cover}
   */
  public ByteBuffer payload(PayloadRange range) {
    int start = range.startIn(payloadBytes());
    int at = HEADER_BYTES + count() * Integer.BYTES - from();
    return bytes.slice(at + start, range.endIn(payloadBytes()) - start).asReadOnlyBuffer();
  }

  /** Returns the length of these blocks with their header, in bytes. */
  public int lengthBytes() {
    return bytes.capacity();
  }

  /** Returns a read-only view of header, checksums and blocks, from position 0 to its limit. */
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  /** Returns the same blocks in memory of their own. */
  public EntryBlocks copy() {
    ByteBuffer own = ByteBuffer.allocate(bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
    own.put(0, bytes, 0, bytes.capacity());
    return new EntryBlocks(own, blocks);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryBlocks same && bytes.equals(same.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  @Override
  public String toString() {
    return "bytes %d to %d of %d at address %d of append %s"
        .formatted(from(), to(), payloadBytes(), address(), id());
  }
}
