package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The end record of a checkpoint, which says where the checkpoint's parts are. A client that
 * deletes older history appends the same record again, with another kind. Little-endian.
 *
 * <pre>
 *   0       1         2        10       18           26       34
 *   +-------+---------+--------+--------+------------+--------+-----------------+-- - -
 *   | kind  | version | before | resume | first part | bytes  | count (4), address of part (8) ...
 *   +-------+---------+--------+--------+------------+--------+-----------------+-- - -
 * </pre>
 *
 * Kind 0xC6 ends a checkpoint. The same record as the first entry of a stream of commands means
 * that the machine began with this state. Kind 0xC7 keeps the checkpoint and deletes older history.
 *
 * @param before the log address below which the state includes every command
 * @param resume the stream address of the next command
 * @param firstPart the stream address of the first part, in the stream of parts
 * @param bytes the size of the state in bytes
 * @param parts the log addresses of the parts, in their order
 */
record Checkpoint(
    Address before,
    StreamAddress resume,
    StreamAddress firstPart,
    long bytes,
    List<Address> parts) {

  private static final byte END = (byte) 0xC6;
  private static final byte KEPT = (byte) 0xC7;
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 38;

  Checkpoint {
    parts = List.copyOf(parts);
  }

  ByteBuffer encoded() {
    return encoded(END);
  }

  ByteBuffer encodedAsKept() {
    return encoded(KEPT);
  }

  private ByteBuffer encoded(byte kind) {
    ByteBuffer to = ByteBuffer.allocate(HEADER_BYTES + Long.BYTES * parts.size());
    to.order(ByteOrder.LITTLE_ENDIAN).put(kind).put(VERSION).putLong(before.value());
    to.putLong(resume.value()).putLong(firstPart.value()).putLong(bytes).putInt(parts.size());
    parts.forEach(part -> to.putLong(part.value()));
    return to.flip();
  }

  /** Whether the entry of a stream of commands says with which state the machine began. */
  static boolean isSeed(ByteBuffer payload) {
    return payload.hasRemaining() && payload.get(payload.position()) == END;
  }

  /** Whether the record deletes older history. */
  static boolean isKept(ByteBuffer payload) {
    return payload.hasRemaining() && payload.get(payload.position()) == KEPT;
  }

  /** Whether the other checkpoint stays usable if this one is kept and older history is deleted. */
  boolean spares(Checkpoint other) {
    return other.resume.compareTo(resume) >= 0 && other.firstPart.compareTo(firstPart) >= 0;
  }

  static Checkpoint decode(Address address, ByteBuffer payload) {
    ByteBuffer from = payload.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (from.limit() < HEADER_BYTES
        || (from.get() != END && from.get(0) != KEPT)
        || from.get() != VERSION
        || from.limit() - HEADER_BYTES != (long) Long.BYTES * from.getInt(HEADER_BYTES - 4)) {
      throw new DamagedCommandException(address, "nor is it the end of a checkpoint");
    }
    try {
      return decoded(from);
    } catch (IllegalArgumentException negative) {
      throw new DamagedCommandException(address, "it says " + negative.getMessage());
    }
  }

  private static Checkpoint decoded(ByteBuffer from) {
    var before = new Address(from.getLong());
    var resume = new StreamAddress(from.getLong());
    var firstPart = new StreamAddress(from.getLong());
    long bytes = from.getLong();
    int count = from.getInt();
    List<Address> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(new Address(from.getLong()));
    }
    return new Checkpoint(before, resume, firstPart, bytes, parts);
  }
}
