package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of an entry of a byte array's stream. Little-endian.
 *
 * <pre>
 *   0      1         2      3             4
 *   +------+---------+------+-------------+------+-------------------------+
 *   | 0xCB | version | kind | note length | note | fields                  |
 *   +------+---------+------+-------------+------+-------------------------+
 *
 *   kind  fields
 *   1     write     offset (8), bytes
 *   2     append    bytes
 *   3     truncate  size (8)
 *   4     punch     offset (8), length (8)
 *   5     clone     source (16), version (8), target (16)
 *   6     release   target (16)
 *   7     copy      offset (8), length (8), extents
 *   16    take-over owner
 *   17    give up   writer epoch (8)
 *   18    batch     as {@link BatchCodec} draws it
 *
 *   extent: offset (8), length (8), log address (8), position in that entry's payload (8)
 * </pre>
 *
 * Checkpoints have other kinds, from 8 to 15.
 */
public final class RecordCodec {

  /** The largest size of a byte array. */
  public static final long MAX_SIZE = 1L << 62;

  /** The most bytes of a note. */
  public static final int MAX_NOTE_BYTES = 255;

  /** The most changes of a batch. */
  public static final int MAX_CHANGES = 4_096;

  /** The most bytes of the description of a writer. */
  public static final int MAX_OWNER_BYTES = 255;

  /** The most bytes in front of the data of a write. */
  public static final int MAX_HEADER_BYTES = 4 + MAX_NOTE_BYTES + Long.BYTES;

  private static final byte MAGIC = (byte) 0xCB;
  private static final byte VERSION = 1;
  static final int NOTE_AT = 4;

  private static final byte WRITE = 1;
  private static final byte APPEND = 2;
  private static final byte TRUNCATE = 3;
  private static final byte PUNCH = 4;
  private static final byte CLONE = 5;
  private static final byte RELEASE = 6;
  private static final byte COPY = 7;
  private static final byte TAKE_OVER = 16;
  private static final byte GIVE_UP = 17;
  private static final byte BATCH = 18;

  /** The bytes of an extent in a copy. */
  public static final int EXTENT_BYTES = 4 * Long.BYTES;

  private RecordCodec() {}

  /** Encodes a write. The data is copied once. */
  public static ByteBuffer write(ByteBuffer note, long offset, ByteBuffer data) {
    return begin(WRITE, note, Long.BYTES + data.remaining())
        .putLong(offset)
        .put(data.duplicate())
        .flip();
  }

  /** Encodes an append. The data is copied once. */
  public static ByteBuffer append(ByteBuffer note, ByteBuffer data) {
    return begin(APPEND, note, data.remaining()).put(data.duplicate()).flip();
  }

  /** Encodes a record without data. */
  public static ByteBuffer encode(ByteBuffer note, BytesRecord record) {
    return switch (record) {
      case BytesRecord.Truncate(long size) ->
          begin(TRUNCATE, note, Long.BYTES).putLong(size).flip();
      case BytesRecord.Punch(long offset, long length) ->
          begin(PUNCH, note, 2 * Long.BYTES).putLong(offset).putLong(length).flip();
      case BytesRecord.Clone(StreamId source, long version, StreamId target) -> {
        ByteBuffer out = begin(CLONE, note, 5 * Long.BYTES);
        put(out, source);
        out.putLong(version);
        yield put(out, target).flip();
      }
      case BytesRecord.Release(StreamId target) ->
          put(begin(RELEASE, note, 2 * Long.BYTES), target).flip();
      case BytesRecord.Copy(long offset, long length, List<Extent> extents) -> {
        int bytes = 2 * Long.BYTES + extents.size() * EXTENT_BYTES;
        ByteBuffer out = begin(COPY, note, bytes).putLong(offset).putLong(length);
        for (Extent extent : extents) {
          out.putLong(extent.offset()).putLong(extent.length());
          out.putLong(extent.address()).putLong(extent.position());
        }
        yield out.flip();
      }
      case BytesRecord.TakeOver(ByteBuffer owner) ->
          begin(TAKE_OVER, note, checkedOwner(owner).remaining()).put(owner.duplicate()).flip();
      case BytesRecord.GiveUp(long epoch) -> begin(GIVE_UP, note, Long.BYTES).putLong(epoch).flip();
      case BytesRecord.Batch batch -> throw new IllegalArgumentException("has data: " + batch);
      case BytesRecord.Write write -> throw new IllegalArgumentException("has data: " + write);
      case BytesRecord.Append append -> throw new IllegalArgumentException("has data: " + append);
    };
  }

  private static ByteBuffer checkedOwner(ByteBuffer owner) {
    if (owner.remaining() > MAX_OWNER_BYTES) {
      throw new IllegalArgumentException(
          "the description of a writer has at most %d bytes, not %d"
              .formatted(MAX_OWNER_BYTES, owner.remaining()));
    }
    return owner;
  }

  /**
   * An encoded batch.
   *
   * @param payload the payload of its entry
   * @param decoded the same as {@link #decode} returns of it
   */
  public record EncodedBatch(ByteBuffer payload, Decoded decoded) {}

  /** Encodes a batch. The data is copied once. */
  public static EncodedBatch encode(ByteBuffer note, long epoch, long sequence, BatchData data) {
    int fields = NOTE_AT + note.remaining();
    BatchCodec.Layout layout = BatchCodec.layout(fields, data);
    ByteBuffer out = begin(BATCH, note, layout.payloadBytes() - fields);
    BatchCodec.write(out, epoch, sequence, data, layout);
    var batch = new BytesRecord.Batch(epoch, sequence, layout.changes());
    return new EncodedBatch(out.flip(), new Decoded(copy(note.slice()), batch));
  }

  private static ByteBuffer begin(byte kind, ByteBuffer note, int fieldBytes) {
    if (note.remaining() > MAX_NOTE_BYTES) {
      throw new IllegalArgumentException(
          "a note has at most %d bytes, not %d".formatted(MAX_NOTE_BYTES, note.remaining()));
    }
    return ByteBuffer.allocate(NOTE_AT + note.remaining() + fieldBytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(VERSION)
        .put(kind)
        .put((byte) note.remaining())
        .put(note.duplicate());
  }

  private static ByteBuffer put(ByteBuffer out, StreamId id) {
    return out.putLong(id.high()).putLong(id.low());
  }

  /**
   * A decoded entry.
   *
   * @param note the writer's note, read-only, from position 0 to its limit
   */
  public record Decoded(ByteBuffer note, BytesRecord record) {}

  /**
   * Returns the number of bytes at the beginning that are needed to decode an entry, as far as the
   * head says it: a copy is needed whole, and a batch up to its data.
   */
  static int neededBytes(ByteBuffer head, int payloadBytes) {
    if (!isRecord(head)) {
      return 0;
    }
    return switch (head.get(head.position() + 2)) {
      case COPY -> payloadBytes;
      case BATCH -> Math.min(payloadBytes, BatchCodec.tableEnd(head, fieldsAt(head)));
      default -> 0;
    };
  }

  private static int fieldsAt(ByteBuffer head) {
    return NOTE_AT + (head.get(head.position() + 3) & 0xff);
  }

  /** Returns whether an entry that begins with these bytes claims to be of this format. */
  public static boolean isRecord(ByteBuffer head) {
    int at = head.position();
    return head.remaining() >= NOTE_AT && head.get(at) == MAGIC && head.get(at + 1) == VERSION;
  }

  /**
   * Decodes an entry.
   *
   * @throws DamagedRecordException if it is no record of this format
   */
  public static Decoded decode(Address address, ByteBuffer payload) {
    return decode(address, payload, payload.remaining());
  }

  /**
   * Decodes an entry from its first bytes: a copy without its extents, a batch without its changes.
   *
   * @param head the first {@link EntryDecoder#HEAD_BYTES} bytes or more, or all
   * @param payloadBytes the length of the whole payload in bytes
   * @throws DamagedRecordException if it is no record of this format
   */
  public static Decoded decodeHead(Address address, ByteBuffer head, int payloadBytes) {
    if (neededBytes(head, payloadBytes) == 0) {
      return decode(address, head, payloadBytes);
    }
    if (head.get(head.position() + 2) == BATCH) {
      return BatchCodec.withoutChanges(address, head, fieldsAt(head));
    }
    int most = Math.min(fieldsAt(head) + 2 * Long.BYTES, head.remaining());
    return decode(address, head.slice(head.position(), most), most);
  }

  /**
   * Decodes an entry from its first bytes.
   *
   * @param head the first bytes: all in front of the data of a write, and all of other records
   * @param payloadBytes the length of the whole payload in bytes
   * @throws DamagedRecordException if it is no record of this format
   */
  public static Decoded decode(Address address, ByteBuffer head, int payloadBytes) {
    if (!isRecord(head)) {
      throw new DamagedRecordException(
          address, "it does not begin as version %d of the format".formatted(VERSION));
    }
    ByteBuffer in = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    int fields = NOTE_AT + (in.get(3) & 0xff);
    if (fields > in.limit()) {
      throw new DamagedRecordException(address, "it ends within its note");
    }
    ByteBuffer note = copy(in.slice(NOTE_AT, fields - NOTE_AT));
    byte kind = in.get(2);
    in.position(fields);
    check(address, kind, payloadBytes - fields);
    BytesRecord record =
        kind == BATCH ? BatchCodec.read(address, in, payloadBytes) : record(kind, in, payloadBytes);
    return new Decoded(note, checked(address, record));
  }

  /** A note must not keep the bytes around it in memory. */
  static ByteBuffer copy(ByteBuffer note) {
    return ByteBuffer.allocate(note.remaining()).put(note).flip().asReadOnlyBuffer();
  }

  private static void check(Address address, byte kind, int bytes) {
    boolean fits =
        switch (kind) {
          case WRITE -> bytes > Long.BYTES;
          case APPEND -> bytes > 0;
          case TRUNCATE -> bytes == Long.BYTES;
          case TAKE_OVER -> bytes <= MAX_OWNER_BYTES;
          case GIVE_UP -> bytes == Long.BYTES;
          case BATCH -> bytes >= BatchCodec.HEADER_BYTES;
          case PUNCH, RELEASE -> bytes == 2 * Long.BYTES;
          case CLONE -> bytes == 5 * Long.BYTES;
          case COPY -> bytes >= 2 * Long.BYTES && bytes % EXTENT_BYTES == 2 * Long.BYTES;
          default -> throw new DamagedRecordException(address, "its kind is " + kind);
        };
    if (!fits) {
      throw new DamagedRecordException(
          address, "a record of kind %d cannot have %d bytes of fields".formatted(kind, bytes));
    }
  }

  private static BytesRecord record(byte kind, ByteBuffer in, int payloadBytes) {
    return switch (kind) {
      case WRITE -> {
        long offset = in.getLong();
        yield new BytesRecord.Write(offset, in.position(), payloadBytes - in.position());
      }
      case APPEND -> new BytesRecord.Append(in.position(), payloadBytes - in.position());
      case TRUNCATE -> new BytesRecord.Truncate(in.getLong());
      case PUNCH -> new BytesRecord.Punch(in.getLong(), in.getLong());
      case CLONE -> new BytesRecord.Clone(id(in), in.getLong(), id(in));
      case COPY -> new BytesRecord.Copy(in.getLong(), in.getLong(), extents(in));
      case TAKE_OVER -> new BytesRecord.TakeOver(copy(in.slice()));
      case GIVE_UP -> new BytesRecord.GiveUp(in.getLong());
      default -> new BytesRecord.Release(id(in));
    };
  }

  private static List<Extent> extents(ByteBuffer in) {
    List<Extent> extents = new ArrayList<>(in.remaining() / EXTENT_BYTES);
    while (in.hasRemaining()) {
      extents.add(new Extent(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
    return extents;
  }

  private static StreamId id(ByteBuffer in) {
    return new StreamId(in.getLong(), in.getLong());
  }

  private static BytesRecord checked(Address address, BytesRecord record) {
    boolean isSound =
        switch (record) {
          case BytesRecord.Write(long offset, long position, long length) ->
              isRange(offset, length);
          case BytesRecord.Truncate(long size) -> size >= 0 && size <= MAX_SIZE;
          case BytesRecord.Punch(long offset, long length) -> isRange(offset, length);
          case BytesRecord.Clone(StreamId source, long version, StreamId target) -> version >= 0;
          case BytesRecord.Copy copy -> isSound(copy);
          case BytesRecord.Append append -> true;
          case BytesRecord.Release release -> true;
          case BytesRecord.TakeOver taken -> true;
          case BytesRecord.GiveUp(long epoch) -> epoch >= 0;
          case BytesRecord.Batch batch -> true; // its codec has checked it
        };
    if (!isSound) {
      throw new DamagedRecordException(address, "its fields are out of range: " + record);
    }
    return record;
  }

  /** Returns whether an array can have this range. */
  static boolean isRange(long offset, long length) {
    return offset >= 0 && length >= 0 && offset <= MAX_SIZE - length;
  }

  /** Extents follow each other within the range, and lie in payloads. */
  private static boolean isSound(BytesRecord.Copy copy) {
    if (copy.offset() < 0 || copy.length() < 1 || copy.offset() > MAX_SIZE - copy.length()) {
      return false;
    }
    long next = copy.offset();
    long end = copy.offset() + copy.length();
    for (Extent extent : copy.extents()) {
      if (extent.offset() < next
          || extent.length() < 1
          || extent.length() > end - extent.offset()
          || extent.address() < 0
          || extent.position() < 0
          || extent.position() > Integer.MAX_VALUE - extent.length()) {
        return false;
      }
      next = extent.end();
    }
    return true;
  }
}
