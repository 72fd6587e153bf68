package corfu.bytes;

import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * The entries of byte arrays, for applications that append one to the stream of an array and to
 * streams of their own at once.
 */
public final class BytesEntries {

  private BytesEntries() {}

  /** Returns whether an entry begins as one of a byte array does. */
  public static boolean isEntry(ByteBuffer payload) {
    return RecordCodec.isRecord(payload);
  }

  /**
   * Returns the note of an entry, read-only.
   *
   * @param address the entry's log address
   * @throws DamagedRecordException if it is no entry of a byte array
   */
  public static ByteBuffer note(Address address, ByteBuffer payload) {
    return RecordCodec.decode(address, payload).note();
  }

  /**
   * Returns the entry that writes bytes; see {@link VersionedBytes#write(long, ByteBuffer,
   * ByteBuffer)}. The data is copied.
   *
   * @param note at most 255 bytes
   * @param offset the first byte's offset, 0 or more
   * @param data the bytes, 1 or more
   */
  public static ByteBuffer write(ByteBuffer note, long offset, ByteBuffer data) {
    if (offset < 0 || !data.hasRemaining() || offset > RecordCodec.MAX_SIZE - data.remaining()) {
      throw new IllegalArgumentException(
          "no array takes %d bytes at offset %d".formatted(data.remaining(), offset));
    }
    return RecordCodec.write(note, offset, data);
  }

  /**
   * Returns the entry that sets the size of an array; see {@link VersionedBytes#truncate}.
   *
   * @param note at most 255 bytes
   * @param size the new size, 0 or more
   */
  public static ByteBuffer truncate(ByteBuffer note, long size) {
    if (size < 0 || size > RecordCodec.MAX_SIZE) {
      throw new IllegalArgumentException(
          "an array has 0 to %d bytes, not %d".formatted(RecordCodec.MAX_SIZE, size));
    }
    return RecordCodec.encode(note, new BytesRecord.Truncate(size));
  }
}
