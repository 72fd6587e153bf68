package corfu.silver.internal.checkpoint;

import corfu.protocol.Address;
import corfu.silver.DamagedEntryException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A piece of a checkpoint of a node, as an entry holds it. Little-endian.
 *
 * <pre>
 *   0      1         2        3              11         15        19         27        35
 *   +------+---------+--------+--------------+----------+---------+----------+---------+-------+
 *   | 0xA6 | version | kind   | checkpoint   | number   | count   | before   | place   | bytes |
 *   +------+---------+--------+--------------+----------+---------+----------+---------+-------+
 *
 *   kind: 13, or 14 if entries of the node before this state may be trimmed
 * </pre>
 *
 * @param isFloor whether entries of the node before the state may be trimmed
 * @param checkpoint an id that all pieces of the checkpoint have
 * @param number the piece's number, from 0 on
 * @param count the number of pieces
 * @param before the log address below which the state includes every entry
 * @param place the place of the next entry of the node's stream
 * @param bytes a part of the state, read-only
 */
record StatePiece(
    boolean isFloor,
    long checkpoint,
    int number,
    int count,
    long before,
    long place,
    ByteBuffer bytes) {

  /** The bytes in front of the state's. */
  static final int HEADER_BYTES = 3 + 3 * Long.BYTES + 2 * Integer.BYTES;

  private static final byte MAGIC = (byte) 0xA6;
  private static final byte VERSION = 1;
  private static final byte KIND = 13;
  private static final byte FLOOR = 14;

  ByteBuffer encoded() {
    return ByteBuffer.allocate(HEADER_BYTES + bytes.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(VERSION)
        .put(isFloor ? FLOOR : KIND)
        .putLong(checkpoint)
        .putInt(number)
        .putInt(count)
        .putLong(before)
        .putLong(place)
        .put(bytes.duplicate())
        .flip();
  }

  /**
   * Decodes a piece.
   *
   * @throws DamagedEntryException if the entry is none
   */
  static StatePiece decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.limit() < HEADER_BYTES || in.get() != MAGIC || in.get() != VERSION) {
      throw new DamagedEntryException(address, "it is no piece of a checkpoint");
    }
    byte kind = in.get();
    StatePiece piece =
        new StatePiece(
            kind == FLOOR,
            in.getLong(),
            in.getInt(),
            in.getInt(),
            in.getLong(),
            in.getLong(),
            in.slice().asReadOnlyBuffer());
    boolean isSound =
        (kind == KIND || kind == FLOOR)
            && piece.number >= 0
            && piece.number < piece.count
            && piece.before >= 0
            && piece.place >= 0;
    if (!isSound) {
      throw new DamagedEntryException(address, "the fields of a checkpoint are out of range");
    }
    return piece;
  }
}
