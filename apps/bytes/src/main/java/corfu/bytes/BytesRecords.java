package corfu.bytes;

import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The entries of arrays, for applications that append them themselves: to the array's stream and,
 * with the same entry, to streams of their own, perhaps under a condition.
 *
 * <pre>{@code
 * ByteBuffer payload = BytesRecords.write(note, offset, data);
 * switch (streams.appendIf(List.of(directory, file), condition, payload)) {
 *   case StreamAppend.Appended appended -> bytes.appended(appended, payload);
 *   case StreamAppend.Conflict conflict -> ...
 * }
 * }</pre>
 */
public final class BytesRecords {

  /** The number of bytes at an entry's beginning that {@link #change} needs at most. */
  public static final int HEAD_BYTES = EntryDecoder.HEAD_BYTES;

  /** The kinds of changes. */
  public enum Kind {
    WRITE,
    APPEND,
    TRUNCATE,
    PUNCH,
    COPY,
    CLONE,
    OTHER
  }

  /**
   * A change of an array, as its entry tells it.
   *
   * @param note the writer's note, read-only; at most 255 bytes
   * @param offset the first changed byte's offset; the new size for a truncation, and 0 for an
   *     append, a clone, and other kinds
   * @param length the number of changed bytes; 0 for a truncation, a clone, and other kinds
   */
  public record Change(Kind kind, ByteBuffer note, long offset, long length) {

    /** Returns the note, read-only, from position 0 to its limit. */
    @Override
    public ByteBuffer note() {
      return note.duplicate();
    }
  }

  private BytesRecords() {}

  /**
   * Encodes a write. The data is copied once.
   *
   * @param note at most 255 bytes
   * @param offset the first byte's offset, 0 or more
   * @param data one byte or more, from the buffer's position to its limit; not changed
   */
  public static ByteBuffer write(ByteBuffer note, long offset, ByteBuffer data) {
    checkRange(offset, data.remaining());
    checkData(data);
    return RecordCodec.write(note, offset, data);
  }

  /**
   * Encodes an append of bytes behind the array's last one.
   *
   * @param note at most 255 bytes
   * @param data one byte or more, from the buffer's position to its limit; not changed
   */
  public static ByteBuffer append(ByteBuffer note, ByteBuffer data) {
    checkData(data);
    return RecordCodec.append(note, data);
  }

  /** Encodes a change of the array's size. */
  public static ByteBuffer truncate(ByteBuffer note, long size) {
    checkRange(size, 0);
    return RecordCodec.encode(note, new BytesRecord.Truncate(size));
  }

  /** Encodes the replacement of a range by zeros. */
  public static ByteBuffer punch(ByteBuffer note, long offset, long length) {
    checkRange(offset, length);
    return RecordCodec.encode(note, new BytesRecord.Punch(offset, length));
  }

  private static void checkRange(long offset, long length) {
    if (offset < 0 || length < 0 || offset > RecordCodec.MAX_SIZE - length) {
      throw new IllegalArgumentException(
          "no array of at most %d bytes has a range of %d bytes at offset %d"
              .formatted(RecordCodec.MAX_SIZE, length, offset));
    }
  }

  private static void checkData(ByteBuffer data) {
    if (!data.hasRemaining()) {
      throw new IllegalArgumentException("a change has 1 byte of data or more, not 0");
    }
  }

  /** Returns whether an entry that begins with these bytes claims to be a change of an array. */
  public static boolean isRecord(ByteBuffer head) {
    return RecordCodec.isRecord(head);
  }

  /**
   * Returns the change that an entry makes; empty if it is no change of an array.
   *
   * @param address the entry's log address, for error messages
   * @param head the entry's first bytes: {@link #HEAD_BYTES} or more, or all; not changed
   * @param payloadBytes the length of the whole payload in bytes
   * @throws DamagedRecordException if it begins as a change, but does not continue as one
   */
  public static Optional<Change> change(Address address, ByteBuffer head, int payloadBytes) {
    if (head.remaining() < Math.min(HEAD_BYTES, payloadBytes)) {
      throw new IllegalArgumentException(
          "a head has %d bytes or more, or all %d of the payload, not %d"
              .formatted(HEAD_BYTES, payloadBytes, head.remaining()));
    }
    if (!isRecord(head)) {
      return Optional.empty();
    }
    RecordCodec.Decoded decoded = RecordCodec.decodeHead(address, head, payloadBytes);
    ByteBuffer note = decoded.note();
    return Optional.of(
        switch (decoded.record()) {
          case BytesRecord.Write(long offset, long position, long length) ->
              new Change(Kind.WRITE, note, offset, length);
          case BytesRecord.Append(long position, long length) ->
              new Change(Kind.APPEND, note, 0, length);
          case BytesRecord.Truncate(long size) -> new Change(Kind.TRUNCATE, note, size, 0);
          case BytesRecord.Punch(long offset, long length) ->
              new Change(Kind.PUNCH, note, offset, length);
          case BytesRecord.Copy copy -> new Change(Kind.COPY, note, copy.offset(), copy.length());
          case BytesRecord.Clone clone -> new Change(Kind.CLONE, note, 0, 0);
          case BytesRecord.Release release -> new Change(Kind.OTHER, note, 0, 0);
          case BytesRecord.TakeOver taken -> new Change(Kind.OTHER, note, 0, 0);
          case BytesRecord.GiveUp left -> new Change(Kind.OTHER, note, 0, 0);
          case BytesRecord.Batch batch -> new Change(Kind.OTHER, note, 0, 0);
        });
  }
}
