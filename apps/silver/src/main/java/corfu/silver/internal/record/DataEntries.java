package corfu.silver.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.silver.DamagedEntryException;
import java.nio.ByteBuffer;

/** The entries of data streams. */
public final class DataEntries {

  private static final byte MAGIC = (byte) 0xCB;

  private DataEntries() {}

  static boolean isOne(ByteBuffer payload) {
    return payload.hasRemaining() && payload.get(payload.position()) == MAGIC;
  }

  static Stamp stamp(Address address, ByteBuffer payload) {
    try {
      return Stamp.of(RecordCodec.decode(address, payload).note());
    } catch (DamagedRecordException damage) {
      throw new DamagedEntryException(address, damage.getMessage());
    }
  }

  /** Encodes a write. The data is copied once. */
  public static ByteBuffer write(Stamp stamp, long offset, ByteBuffer data) {
    return RecordCodec.write(stamp.note(), offset, data);
  }

  /** Encodes a change of the size. */
  public static ByteBuffer resize(Stamp stamp, long size) {
    return RecordCodec.encode(stamp.note(), new BytesRecord.Truncate(size));
  }
}
