package corfu.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The places of an entry's blocks, by the first bytes of the entry. Nothing proves these bytes
 * without the rest of the entry. But blocks that were found by a wrong outline do not match their
 * checksums.
 *
 * @param address the entry's log address
 * @param id the id of the append
 * @param blocks the division of the payload
 * @param payloadAt the offset of the payload in the entry, in bytes
 */
public record EntryOutline(long address, AppendId id, PayloadBlocks blocks, int payloadAt) {

  /**
   * Returns the outline of the entry that starts at the buffer's position, or empty if it has no
   * block checksums.
   *
   * @param entry a buffer with the first {@link Entry#HEADER_BYTES} bytes of the entry, or more
   */
  public static Optional<EntryOutline> of(ByteBuffer entry) {
    ByteBuffer header = entry.slice().order(ByteOrder.LITTLE_ENDIAN);
    int shift = header.get(Entry.BLOCK_SHIFT_AT);
    int payloadAt = Short.toUnsignedInt(header.getShort(Entry.PAYLOAD_START_AT));
    int payloadBytes = header.getInt(Entry.LENGTH_AT) - payloadAt;
    int streams = Short.toUnsignedInt(header.getShort(Entry.STREAMS_AT));
    if (shift < PayloadBlocks.LEAST_SHIFT || shift > PayloadBlocks.MOST_SHIFT || payloadBytes < 1) {
      return Optional.empty();
    }
    PayloadBlocks blocks = new PayloadBlocks(payloadBytes, shift);
    long headers = Entry.HEADER_BYTES + (long) streams * StreamHeader.BYTES;
    return headers + blocks.checksumBytes() > payloadAt
        ? Optional.empty()
        : Optional.of(
            new EntryOutline(
                header.getLong(Entry.ADDRESS_AT),
                new AppendId(header.getLong(Entry.CLIENT_AT), header.getLong(Entry.SEQUENCE_AT)),
                blocks,
                payloadAt));
  }

  /** Returns the length of the whole entry in bytes. */
  public int lengthBytes() {
    return payloadAt + blocks.payloadBytes();
  }

  /** Returns the offset of a block's checksum in the entry, in bytes. */
  public int checksumAt(int block) {
    return payloadAt - blocks.checksumBytes() + block * Integer.BYTES;
  }

  /** Returns the offset of a block in the entry, in bytes. */
  public int blockAt(int block) {
    return payloadAt + blocks.startOf(block);
  }
}
