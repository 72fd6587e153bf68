package corfu.silver.internal.record;

import corfu.bytes.BytesEntries;
import corfu.bytes.DamagedRecordException;
import corfu.protocol.Address;
import corfu.silver.DamagedEntryException;
import java.nio.ByteBuffer;

/** The entries of data streams. Their notes are stamps. */
public final class DataEntries {

  private DataEntries() {}

  static Stamp stamp(Address address, ByteBuffer payload) {
    try {
      return Stamp.of(BytesEntries.note(address, payload));
    } catch (DamagedRecordException damage) {
      throw new DamagedEntryException(address, "it is damaged (" + damage.getMessage() + ")");
    }
  }

  /** Encodes a write. The data is copied once. */
  public static ByteBuffer write(Stamp stamp, long offset, ByteBuffer data) {
    return BytesEntries.write(stamp.note(), offset, data);
  }

  /** Encodes a change of the size. */
  public static ByteBuffer resize(Stamp stamp, long size) {
    return BytesEntries.truncate(stamp.note(), size);
  }
}
