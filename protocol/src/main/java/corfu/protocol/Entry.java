package corfu.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The content of one log address. An entry is the same bytes in the appender's memory, on the wire
 * and on the disk. Little-endian.
 *
 * <pre>
 *   0        4        8                16               24               32   33   34     36     38   40
 *   +--------+--------+----------------+----------------+----------------+----+----+------+------+----+-------- - -+-------- - -+-------- - -
 *   | crc32c | length | log address    | append client  | append number  |kind|shft| hdr  |streams| 0 | headers    | checksums  | payload
 *   +--------+--------+----------------+----------------+----------------+----+----+------+------+----+-------- - -+-------- - -+-------- - -
 * </pre>
 *
 * The field {@code length} counts everything from crc32c to the end of the payload. The field
 * {@code hdr} is the offset of the payload, so that a later version can put more fields before it.
 * The field {@code streams} is the number of {@link StreamHeader stream headers}, in ascending
 * order of their stream ids. The checksum covers everything behind it, the address included: an
 * entry at the wrong address is a corrupt entry. The appender computes the checksum once; every
 * unit and every reader verifies it.
 *
 * <p>A larger payload is divided into {@linkplain PayloadBlocks blocks}. Their checksums stand just
 * before the payload, and {@code shft} is the binary logarithm of their size. A payload of up to 16
 * KiB has none: then {@code shft} is 0. Programs that do not know block checksums skip them,
 * because {@code hdr} tells where the payload starts.
 *
 * <p>Immutable: nobody may change the bytes that were passed to the constructor. An entry from a
 * request is valid only until the request is answered, because its bytes may belong to the
 * connection. {@link #copy} returns an entry that stays valid.
 */
public final class Entry {

  public static final int HEADER_BYTES = 40;

  private static final int CRC_AT = 0;
  static final int LENGTH_AT = 4;
  static final int ADDRESS_AT = 8;
  static final int CLIENT_AT = 16;
  static final int SEQUENCE_AT = 24;
  private static final int KIND_AT = 32;
  static final int BLOCK_SHIFT_AT = 33;
  static final int PAYLOAD_START_AT = 34;
  static final int STREAMS_AT = 36;

  private static final int LONGEST_HEADER = 0xffff; // what the field hdr can hold

  /** The largest number of streams of one entry: no more headers fit before a payload. */
  public static final int MOST_STREAMS = (LONGEST_HEADER - HEADER_BYTES) / StreamHeader.BYTES;

  private final ByteBuffer bytes;

  private Entry(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Returns a data entry in no stream; copies the payload. */
  public static Entry data(long address, AppendId id, ByteBuffer payload) {
    return build(address, id, EntryKind.DATA, List.of(), payload);
  }

  /**
   * Returns a data entry; copies the payload.
   *
   * @param streams the headers of the entry's streams, in ascending order of their ids, each once;
   *     at most {@link #MOST_STREAMS}
   */
  public static Entry data(
      long address, AppendId id, List<StreamHeader> streams, ByteBuffer payload) {
    return build(address, id, EntryKind.DATA, streams, payload);
  }

  /** Returns a hole, the entry that a fill writes. */
  public static Entry hole(long address, AppendId id) {
    return build(address, id, EntryKind.HOLE, List.of(), ByteBuffer.allocate(0));
  }

  private static Entry build(
      long address, AppendId id, EntryKind kind, List<StreamHeader> streams, ByteBuffer payload) {
    checkStreams(address, streams);
    int shift = blockShift(payload.remaining(), streams.size());
    int length = lengthOf(payload.remaining(), streams.size());
    int payloadStart = length - payload.remaining();
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(LENGTH_AT, length);
    bytes.putLong(ADDRESS_AT, address);
    bytes.putLong(CLIENT_AT, id.client());
    bytes.putLong(SEQUENCE_AT, id.sequence());
    bytes.put(KIND_AT, kind.code()).put(BLOCK_SHIFT_AT, (byte) shift);
    bytes.putShort(PAYLOAD_START_AT, (short) payloadStart);
    bytes.putShort(STREAMS_AT, (short) streams.size());
    for (int i = 0; i < streams.size(); i++) {
      streams.get(i).put(bytes, HEADER_BYTES + i * StreamHeader.BYTES, address);
    }
    bytes.put(payloadStart, payload, payload.position(), payload.remaining());
    EntryOutline.of(bytes).ifPresent(outline -> putBlockChecksums(outline, bytes));
    bytes.putInt(CRC_AT, checksum(bytes));
    return new Entry(bytes);
  }

  private static void putBlockChecksums(EntryOutline outline, ByteBuffer bytes) {
    PayloadBlocks blocks = outline.blocks();
    PayloadBlocks.Checksums checksums = blocks.new Checksums(outline.address(), outline.id());
    for (int block = 0; block < blocks.count(); block++) {
      bytes.putInt(outline.checksumAt(block), checksums.of(block, bytes, outline.blockAt(block)));
    }
  }

  private static int blockShift(int payloadBytes, int streams) {
    int room = LONGEST_HEADER - HEADER_BYTES - streams * StreamHeader.BYTES;
    return PayloadBlocks.shiftFor(payloadBytes, room);
  }

  /**
   * Returns the length of the whole entry that an appender makes, in bytes.
   *
   * @param payloadBytes the length of the payload in bytes
   * @param streams the number of streams, at most {@link #MOST_STREAMS}
   */
  public static int lengthOf(int payloadBytes, int streams) {
    int shift = blockShift(payloadBytes, streams);
    int checksums = shift == 0 ? 0 : new PayloadBlocks(payloadBytes, shift).checksumBytes();
    return HEADER_BYTES + streams * StreamHeader.BYTES + checksums + payloadBytes;
  }

  private static void checkStreams(long address, List<StreamHeader> streams) {
    if (streams.size() > MOST_STREAMS) {
      throw new IllegalArgumentException(
          "an entry is in up to " + MOST_STREAMS + " streams, but not in " + streams.size());
    }
    for (int i = 1; i < streams.size(); i++) {
      if (streams.get(i - 1).stream().compareTo(streams.get(i).stream()) >= 0) {
        throw new IllegalArgumentException(
            "the streams of the entry at " + address + " do not ascend: " + streams);
      }
    }
  }

  /**
   * Returns the entry that starts at the buffer's position. The entry shares the buffer's bytes;
   * the buffer's position does not change. This method checks the entry's shape, but not its
   * checksum: see {@link #isIntact}.
   *
   * @throws IllegalArgumentException if no entry of any content could have this shape
   */
  public static Entry wrap(ByteBuffer buffer) {
    int available = buffer.remaining();
    if (available < HEADER_BYTES) {
      throw new IllegalArgumentException(
          "an entry has at least " + HEADER_BYTES + " bytes, but only " + available + " are there");
    }
    ByteBuffer view = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = view.getInt(LENGTH_AT);
    int payloadStart = Short.toUnsignedInt(view.getShort(PAYLOAD_START_AT));
    if (length < HEADER_BYTES
        || length > available
        || payloadStart < HEADER_BYTES
        || payloadStart > length) {
      throw new IllegalArgumentException(
          "an entry that claims "
              + length
              + " bytes with its payload at "
              + payloadStart
              + ", where "
              + available
              + " bytes are there");
    }
    if (view.getLong(ADDRESS_AT) < 0) {
      throw new IllegalArgumentException(
          "an entry that claims the negative address " + view.getLong(ADDRESS_AT));
    }
    int streams = Short.toUnsignedInt(view.getShort(STREAMS_AT));
    if (HEADER_BYTES + streams * StreamHeader.BYTES > payloadStart) {
      throw new IllegalArgumentException(
          "an entry that claims "
              + (streams + " streams before a payload that starts at " + payloadStart));
    }
    if (!hasPlausibleStreams(view, streams)) {
      throw new IllegalArgumentException(
          "an entry at " + view.getLong(ADDRESS_AT) + " with an impossible stream header");
    }
    EntryKind.ofCode(view.get(KIND_AT));
    return new Entry(view.slice(0, length).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns whether the stream ids ascend and all backpointers lead back. */
  private static boolean hasPlausibleStreams(ByteBuffer entry, int streams) {
    for (int i = 0; i < streams; i++) {
      int at = HEADER_BYTES + i * StreamHeader.BYTES;
      boolean ascends = i == 0 || compareStreams(entry, at - StreamHeader.BYTES, at) < 0;
      if (!ascends || !StreamHeader.isPlausible(entry, at, entry.getLong(ADDRESS_AT))) {
        return false;
      }
    }
    return true;
  }

  private static int compareStreams(ByteBuffer entry, int one, int other) {
    int byHigh = Long.compareUnsigned(entry.getLong(one), entry.getLong(other));
    return byHigh != 0
        ? byHigh
        : Long.compareUnsigned(entry.getLong(one + 8), entry.getLong(other + 8));
  }

  /**
   * Returns the entry length that the bytes at the buffer's position claim. The length is not
   * checked.
   */
  public static int claimedLength(ByteBuffer buffer) {
    return buffer.order() == ByteOrder.LITTLE_ENDIAN
        ? buffer.getInt(buffer.position() + LENGTH_AT)
        : Integer.reverseBytes(buffer.getInt(buffer.position() + LENGTH_AT));
  }

  /**
   * Returns the streams that the first bytes of an entry name, or empty if the bytes end before
   * them. The bytes are not checked.
   *
   * @param head the first bytes of an entry, from the buffer's position on
   */
  public static Optional<List<StreamId>> claimedStreams(ByteBuffer head) {
    ByteBuffer bytes = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    int streams =
        bytes.limit() < HEADER_BYTES ? 0 : Short.toUnsignedInt(bytes.getShort(STREAMS_AT));
    if (bytes.limit() < HEADER_BYTES + streams * StreamHeader.BYTES) {
      return Optional.empty();
    }
    List<StreamId> ids = new ArrayList<>(streams);
    for (int i = 0; i < streams; i++) {
      int at = HEADER_BYTES + i * StreamHeader.BYTES;
      ids.add(new StreamId(bytes.getLong(at), bytes.getLong(at + 8)));
    }
    return Optional.of(ids);
  }

  /** Returns whether the checksum proves that the bytes are those that the appender sent. */
  public boolean isIntact() {
    return checksum(bytes) == bytes.getInt(CRC_AT);
  }

  public long address() {
    return bytes.getLong(ADDRESS_AT);
  }

  public AppendId id() {
    return new AppendId(bytes.getLong(CLIENT_AT), bytes.getLong(SEQUENCE_AT));
  }

  public boolean isSameAppend(AppendId other) {
    return bytes.getLong(CLIENT_AT) == other.client()
        && bytes.getLong(SEQUENCE_AT) == other.sequence();
  }

  public EntryKind kind() {
    return EntryKind.ofCode(bytes.get(KIND_AT));
  }

  public boolean isHole() {
    return bytes.get(KIND_AT) == EntryKind.HOLE.code();
  }

  /**
   * Returns whether the stream headers are possible: their ids ascend, and all backpointers lead to
   * lower log addresses. Always true for an entry from {@link #wrap}.
   */
  public boolean hasPlausibleStreams() {
    return hasPlausibleStreams(bytes, streamCount());
  }

  /** Returns the number of the entry's streams. */
  public int streamCount() {
    return Short.toUnsignedInt(bytes.getShort(STREAMS_AT));
  }

  /**
   * Returns one of the entry's stream headers.
   *
   * @param index the header's index from 0 to {@code streamCount() - 1}, in ascending order of the
   *     stream ids
   */
  public StreamHeader stream(int index) {
    return StreamHeader.get(bytes, headerAt(index), address());
  }

  /**
   * Returns the id of one of the entry's streams, indexed as in {@link #stream(int)}. Does not
   * decode the backpointers.
   */
  public StreamId streamId(int index) {
    int at = headerAt(index);
    return new StreamId(bytes.getLong(at), bytes.getLong(at + 8));
  }

  /** Returns the first half of a {@link #streamId(int)}, without an object. */
  public long streamIdHigh(int index) {
    return bytes.getLong(headerAt(index));
  }

  /** Returns the other half of a {@link #streamId(int)}, without an object. */
  public long streamIdLow(int index) {
    return bytes.getLong(headerAt(index) + 8);
  }

  /** Returns the entry's address in one of its streams, indexed as in {@link #stream(int)}. */
  public long streamAddress(int index) {
    return StreamHeader.streamAddress(bytes, headerAt(index));
  }

  private int headerAt(int index) {
    return HEADER_BYTES + Objects.checkIndex(index, streamCount()) * StreamHeader.BYTES;
  }

  /** Returns all stream headers, in ascending order of the stream ids. */
  public List<StreamHeader> streams() {
    int count = streamCount();
    if (count <= 1) {
      return count == 0 ? List.of() : List.of(stream(0));
    }
    List<StreamHeader> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(stream(i));
    }
    return all;
  }

  /** Returns the entry's header for this stream, or empty if the entry is not in the stream. */
  public Optional<StreamHeader> stream(StreamId stream) {
    int at = headerOf(stream);
    return at < 0 ? Optional.empty() : Optional.of(StreamHeader.get(bytes, at, address()));
  }

  /** Returns whether the entry is in this stream. */
  public boolean isIn(StreamId stream) {
    return headerOf(stream) >= 0;
  }

  /** Returns the offset of the header for this stream, or -1 if the entry is not in the stream. */
  private int headerOf(StreamId stream) {
    int count = streamCount();
    for (int i = 0; i < count; i++) {
      int at = HEADER_BYTES + i * StreamHeader.BYTES;
      if (bytes.getLong(at) == stream.high() && bytes.getLong(at + 8) == stream.low()) {
        return at;
      }
    }
    return -1;
  }

  /** Returns the length of the whole entry in bytes, header included. */
  public int lengthBytes() {
    return bytes.capacity();
  }

  /** Returns a read-only view of the whole entry, from position 0 to its limit. */
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  /** Returns a read-only view of the payload, as it was appended. */
  public ByteBuffer payload() {
    int start = Short.toUnsignedInt(bytes.getShort(PAYLOAD_START_AT));
    return bytes.slice(start, bytes.capacity() - start).asReadOnlyBuffer();
  }

  public int payloadBytes() {
    return bytes.capacity() - Short.toUnsignedInt(bytes.getShort(PAYLOAD_START_AT));
  }

  /**
   * Returns the blocks that have the payload's bytes in this range, or empty if the entry has no
   * block checksums. Copies them.
   */
  public Optional<EntryBlocks> blocks(PayloadRange range) {
    return EntryOutline.of(bytes).map(outline -> blocks(outline, range));
  }

  private EntryBlocks blocks(EntryOutline outline, PayloadRange range) {
    PayloadBlocks blocks = outline.blocks();
    int first = blocks.blockAt(range.offset());
    int count = blocks.blockAt((long) range.offset() + range.length() - 1) - first + 1;
    ByteBuffer part =
        ByteBuffer.allocate(EntryBlocks.lengthOf(blocks, first, count))
            .order(ByteOrder.LITTLE_ENDIAN);
    EntryBlocks.putHeader(part, outline, first, count);
    part.position(EntryBlocks.HEADER_BYTES);
    part.put(bytes.slice(outline.checksumAt(first), count * Integer.BYTES));
    part.put(bytes.slice(outline.blockAt(first), part.remaining()));
    return EntryBlocks.wrap(part.flip());
  }

  /** Returns the same entry in memory of its own. */
  public Entry copy() {
    ByteBuffer own = ByteBuffer.allocate(bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
    own.put(0, bytes, 0, bytes.capacity());
    return new Entry(own);
  }

  private static int checksum(ByteBuffer entry) {
    CRC32C crc = new CRC32C();
    crc.update(entry.duplicate().position(LENGTH_AT));
    return (int) crc.getValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Entry entry && bytes.equals(entry.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.getInt(CRC_AT);
  }

  @Override
  public String toString() {
    return (isHole() ? "hole at " : "entry at ")
        + address()
        + " of append "
        + id()
        + ", "
        + payloadBytes()
        + " bytes";
  }
}
