package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
 * </pre>
 */
public final class RecordCodec {

  /** The largest size of a byte array. */
  public static final long MAX_SIZE = 1L << 62;

  /** The most bytes of a note. */
  public static final int MAX_NOTE_BYTES = 255;

  /** The most bytes in front of the data of a write. */
  public static final int MAX_HEADER_BYTES = 4 + MAX_NOTE_BYTES + Long.BYTES;

  private static final byte MAGIC = (byte) 0xCB;
  private static final byte VERSION = 1;
  private static final int NOTE_AT = 4;

  private static final byte WRITE = 1;
  private static final byte APPEND = 2;
  private static final byte TRUNCATE = 3;
  private static final byte PUNCH = 4;
  private static final byte CLONE = 5;
  private static final byte RELEASE = 6;

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
      case BytesRecord.Write write -> throw new IllegalArgumentException("has data: " + write);
      case BytesRecord.Append append -> throw new IllegalArgumentException("has data: " + append);
    };
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
   * Decodes an entry.
   *
   * @throws DamagedRecordException if it is no record of this format
   */
  public static Decoded decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.limit() < NOTE_AT || in.get(0) != MAGIC || in.get(1) != VERSION) {
      throw new DamagedRecordException(
          address, "it does not begin as version %d of the format".formatted(VERSION));
    }
    int fields = NOTE_AT + (in.get(3) & 0xff);
    if (fields > in.limit()) {
      throw new DamagedRecordException(address, "it ends within its note");
    }
    ByteBuffer note = in.slice(NOTE_AT, fields - NOTE_AT).asReadOnlyBuffer();
    byte kind = in.get(2);
    in.position(fields);
    check(address, kind, in.remaining());
    return new Decoded(note, checked(address, record(kind, in)));
  }

  private static void check(Address address, byte kind, int bytes) {
    boolean fits =
        switch (kind) {
          case WRITE -> bytes > Long.BYTES;
          case APPEND -> bytes > 0;
          case TRUNCATE -> bytes == Long.BYTES;
          case PUNCH, RELEASE -> bytes == 2 * Long.BYTES;
          case CLONE -> bytes == 5 * Long.BYTES;
          default -> throw new DamagedRecordException(address, "its kind is " + kind);
        };
    if (!fits) {
      throw new DamagedRecordException(
          address, "a record of kind %d cannot have %d bytes of fields".formatted(kind, bytes));
    }
  }

  private static BytesRecord record(byte kind, ByteBuffer in) {
    return switch (kind) {
      case WRITE -> {
        long offset = in.getLong();
        yield new BytesRecord.Write(offset, in.position(), in.remaining());
      }
      case APPEND -> new BytesRecord.Append(in.position(), in.remaining());
      case TRUNCATE -> new BytesRecord.Truncate(in.getLong());
      case PUNCH -> new BytesRecord.Punch(in.getLong(), in.getLong());
      case CLONE -> new BytesRecord.Clone(id(in), in.getLong(), id(in));
      default -> new BytesRecord.Release(id(in));
    };
  }

  private static StreamId id(ByteBuffer in) {
    return new StreamId(in.getLong(), in.getLong());
  }

  private static BytesRecord checked(Address address, BytesRecord record) {
    boolean isSound =
        switch (record) {
          case BytesRecord.Write(long offset, long position, long length) ->
              offset >= 0 && offset <= MAX_SIZE - length;
          case BytesRecord.Truncate(long size) -> size >= 0 && size <= MAX_SIZE;
          case BytesRecord.Punch(long offset, long length) ->
              offset >= 0 && length >= 0 && offset <= MAX_SIZE - length;
          case BytesRecord.Clone(StreamId source, long version, StreamId target) -> version >= 0;
          case BytesRecord.Append append -> true;
          case BytesRecord.Release release -> true;
        };
    if (!isSound) {
      throw new DamagedRecordException(address, "its fields are out of range: " + record);
    }
    return record;
  }
}
