package corfu.silver.internal.record;

import corfu.bytes.BytesRecords;
import corfu.bytes.DamagedRecordException;
import corfu.protocol.Address;
import corfu.silver.DamagedEntryException;
import java.nio.ByteBuffer;

/** The entries of data streams. Their notes are stamps. */
public final class DataEntries {

  private DataEntries() {}

  static Stamp stamp(Address address, ByteBuffer payload) {
    try {
      return BytesRecords.change(address, payload, payload.remaining())
          .map(change -> Stamp.of(change.note()))
          .orElseThrow(() -> new DamagedEntryException(address, "it is no change of data"));
    } catch (DamagedRecordException damage) {
      throw new DamagedEntryException(address, "it is damaged (" + damage.getMessage() + ")");
    }
  }

  /** Encodes a write. The data is copied once. */
  public static ByteBuffer write(Stamp stamp, long offset, ByteBuffer data) {
    return BytesRecords.write(stamp.note(), offset, data);
  }

  /** Encodes a change of the size. */
  public static ByteBuffer resize(Stamp stamp, long size) {
    return BytesRecords.truncate(stamp.note(), size);
  }
}
