package corfu.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What one log address holds: the same bytes from the appender's memory over the wire to the disk
 * and back. Little-endian.
 *
 * <pre>
 *   0        4        8                16               24               32   33   34     36     38   40
 *   +--------+--------+----------------+----------------+----------------+----+----+------+------+----+-------- - -+-------- - -
 *   | crc32c | length | log address    | append client  | append number  |kind| 0  | hdr  |streams| 0 | headers    | payload
 *   +--------+--------+----------------+----------------+----------------+----+----+------+------+----+-------- - -+-------- - -
 * </pre>
 *
 * {@code length} counts everything from crc32c to the end of the payload; {@code hdr} is where the
 * payload starts, so that a later version can put more before it; {@code streams} says of how many
 * streams there is a {@link StreamHeader}, in ascending order of their ids. The checksum covers
 * everything behind it, the address included: an entry at the wrong place is a corrupt entry. It is
 * computed once, by the appender, and verified by every unit and reader.
 *
 * <p>Immutable; whoever gives the bytes must not change them. An entry that came with a request is
 * valid until that request has been answered, because its bytes may belong to the connection;
 * {@link #copy} keeps it.
 */
public final class Entry {

  public static final int HEADER_BYTES = 40;

  private static final int CRC_AT = 0;
  private static final int LENGTH_AT = 4;
  private static final int ADDRESS_AT = 8;
  private static final int CLIENT_AT = 16;
  private static final int SEQUENCE_AT = 24;
  private static final int KIND_AT = 32;
  private static final int PAYLOAD_START_AT = 34;
  private static final int STREAMS_AT = 36;

  /** In how many streams an entry can be: more headers do not fit before a payload. */
  public static final int MOST_STREAMS = (0xffff - HEADER_BYTES) / StreamHeader.BYTES;

  private final ByteBuffer bytes;

  private Entry(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** An append's entry in no stream; the payload is copied. */
  public static Entry data(long address, AppendId id, ByteBuffer payload) {
    return build(address, id, EntryKind.DATA, List.of(), payload);
  }

  /**
   * An append's entry; the payload is copied.
   *
   * @param streams in ascending order of their ids, each once; at most {@link #MOST_STREAMS}
   */
  public static Entry data(
      long address, AppendId id, List<StreamHeader> streams, ByteBuffer payload) {
    return build(address, id, EntryKind.DATA, streams, payload);
  }

  /** A hole. */
  public static Entry hole(long address, AppendId id) {
    return build(address, id, EntryKind.HOLE, List.of(), ByteBuffer.allocate(0));
  }

  private static Entry build(
      long address, AppendId id, EntryKind kind, List<StreamHeader> streams, ByteBuffer payload) {
    int payloadStart = payloadStart(address, streams);
    int length = payloadStart + payload.remaining();
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(LENGTH_AT, length);
    bytes.putLong(ADDRESS_AT, address);
    bytes.putLong(CLIENT_AT, id.client());
    bytes.putLong(SEQUENCE_AT, id.sequence());
    bytes.put(KIND_AT, kind.code());
    bytes.putShort(PAYLOAD_START_AT, (short) payloadStart);
    bytes.putShort(STREAMS_AT, (short) streams.size());
    for (int i = 0; i < streams.size(); i++) {
      streams.get(i).put(bytes, HEADER_BYTES + i * StreamHeader.BYTES, address);
    }
    bytes.put(payloadStart, payload, payload.position(), payload.remaining());
    bytes.putInt(CRC_AT, checksum(bytes));
    return new Entry(bytes);
  }

  private static int payloadStart(long address, List<StreamHeader> streams) {
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
    return HEADER_BYTES + streams.size() * StreamHeader.BYTES;
  }

  /**
   * The entry that starts at the buffer's position; shares the buffer's bytes and leaves its
   * position alone. Its shape is checked, its checksum is not: see {@link #isIntact}.
   *
   * @throws IllegalArgumentException if no entry of any content could look like this
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

  /** Whether streams ascend, and nothing leads forward. */
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
   * The length that the bytes at the buffer's position claim for their entry; not checked against
   * anything.
   */
  public static int claimedLength(ByteBuffer buffer) {
    return buffer.order() == ByteOrder.LITTLE_ENDIAN
        ? buffer.getInt(buffer.position() + LENGTH_AT)
        : Integer.reverseBytes(buffer.getInt(buffer.position() + LENGTH_AT));
  }

  /** Whether the bytes are those that the appender sent. */
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
   * Whether what it says of its streams can be so: they ascend, and what was before it in each is
   * below it. Always so of what has been {@linkplain #wrap wrapped}.
   */
  public boolean hasPlausibleStreams() {
    return hasPlausibleStreams(bytes, streamCount());
  }

  /** In how many streams it is. */
  public int streamCount() {
    return Short.toUnsignedInt(bytes.getShort(STREAMS_AT));
  }

  /**
   * What it says of one of its streams.
   *
   * @param index from 0 to {@code streamCount() - 1}, in ascending order of their ids
   */
  public StreamHeader stream(int index) {
    return StreamHeader.get(bytes, headerAt(index), address());
  }

  /** One of its streams; as in {@link #stream(int)}, without what was before the entry there. */
  public StreamId streamId(int index) {
    int at = headerAt(index);
    return new StreamId(bytes.getLong(at), bytes.getLong(at + 8));
  }

  /** Its place in one of its streams; as in {@link #stream(int)}. */
  public long streamAddress(int index) {
    return StreamHeader.streamAddress(bytes, headerAt(index));
  }

  private int headerAt(int index) {
    return HEADER_BYTES + Objects.checkIndex(index, streamCount()) * StreamHeader.BYTES;
  }

  /** What it says of its streams, in ascending order of their ids. */
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

  /** What it says of this stream; empty if it is not in it. */
  public Optional<StreamHeader> stream(StreamId stream) {
    int at = headerOf(stream);
    return at < 0 ? Optional.empty() : Optional.of(StreamHeader.get(bytes, at, address()));
  }

  /** Whether it is in this stream. */
  public boolean isIn(StreamId stream) {
    return headerOf(stream) >= 0;
  }

  /** Where what it says of this stream begins; -1 if it is not in it. */
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

  /** All bytes, header included. */
  public int lengthBytes() {
    return bytes.capacity();
  }

  /** A read-only view of the whole entry, from position 0 to its limit. */
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  /** A read-only view of what was appended. */
  public ByteBuffer payload() {
    int start = Short.toUnsignedInt(bytes.getShort(PAYLOAD_START_AT));
    return bytes.slice(start, bytes.capacity() - start).asReadOnlyBuffer();
  }

  public int payloadBytes() {
    return bytes.capacity() - Short.toUnsignedInt(bytes.getShort(PAYLOAD_START_AT));
  }

  /** The same entry in memory of its own. */
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
