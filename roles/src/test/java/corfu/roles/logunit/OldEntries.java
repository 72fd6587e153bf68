package corfu.roles.logunit;

import corfu.protocol.Entry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Entries as appenders with other programs write them. */
final class OldEntries {

  private static final int LENGTH_AT = 4;
  private static final int BLOCK_SHIFT_AT = 33;
  private static final int PAYLOAD_START_AT = 34;

  private OldEntries() {}

  /** Returns the entry as a program without block checksums wrote it. */
  static Entry withoutBlockChecksums(Entry entry) {
    int length = Entry.HEADER_BYTES + entry.payloadBytes();
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, entry.bytes(), 0, Entry.HEADER_BYTES);
    bytes.putInt(LENGTH_AT, length).put(BLOCK_SHIFT_AT, (byte) 0);
    bytes.putShort(PAYLOAD_START_AT, (short) Entry.HEADER_BYTES);
    bytes.put(Entry.HEADER_BYTES, entry.payload(), 0, entry.payloadBytes());
    return sealed(bytes);
  }

  /** Returns the entry with block checksums that do not match its blocks. */
  static Entry withWrongBlockChecksums(Entry entry) {
    ByteBuffer bytes = ByteBuffer.allocate(entry.lengthBytes()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, entry.bytes(), 0, entry.lengthBytes());
    for (int at = Entry.HEADER_BYTES; at < entry.lengthBytes() - entry.payloadBytes(); at++) {
      bytes.put(at, (byte) ~bytes.get(at));
    }
    return sealed(bytes);
  }

  private static Entry sealed(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(LENGTH_AT));
    return Entry.wrap(bytes.putInt(0, (int) crc.getValue()));
  }
}
