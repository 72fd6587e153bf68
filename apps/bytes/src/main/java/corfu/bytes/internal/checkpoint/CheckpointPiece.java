package corfu.bytes.internal.checkpoint;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a checkpoint, as an entry holds it. Each piece has all fields of the state, and some
 * of its extents. Little-endian.
 *
 * <pre>
 *   0      1         2          3             4
 *   +------+---------+----------+-------------+------+--------+---------+
 *   | 0xCB | version | kind = 8 | note length | note | fields | extents |
 *   +------+---------+----------+-------------+------+--------+---------+
 *
 *   fields: checkpoint (8), number of the piece (4), count of pieces (4), before (8), place (8),
 *           size (8), change (8), depth (4)
 *   extent: offset (8), length (8), log address (8), position in that entry's payload (8)
 * </pre>
 *
 * @param checkpoint an id that all pieces of the checkpoint have
 * @param number the piece's number, from 0 on
 * @param count the number of pieces
 * @param state the state's fields
 * @param extents the state's extents in this piece, by their offsets
 */
record CheckpointPiece(long checkpoint, int number, int count, Fields state, List<Extent> extents) {

  /** The fields of a state, without its extents. */
  record Fields(long before, long place, long size, long change, int depth, ByteBuffer note) {}

  private static final byte MAGIC = (byte) 0xCB;
  private static final byte VERSION = 1;
  private static final byte KIND = 8;
  private static final int NOTE_AT = 4;
  private static final int FIELD_BYTES = 5 * Long.BYTES + 3 * Integer.BYTES;

  /** The bytes of an extent. */
  static final int EXTENT_BYTES = 4 * Long.BYTES;

  CheckpointPiece {
    extents = List.copyOf(extents);
  }

  ByteBuffer encoded() {
    int bytes = NOTE_AT + state.note().remaining() + FIELD_BYTES + extents.size() * EXTENT_BYTES;
    ByteBuffer out =
        ByteBuffer.allocate(bytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(MAGIC)
            .put(VERSION)
            .put(KIND)
            .put((byte) state.note().remaining())
            .put(state.note().duplicate())
            .putLong(checkpoint)
            .putInt(number)
            .putInt(count)
            .putLong(state.before())
            .putLong(state.place())
            .putLong(state.size())
            .putLong(state.change())
            .putInt(state.depth());
    for (Extent extent : extents) {
      out.putLong(extent.offset()).putLong(extent.length());
      out.putLong(extent.address()).putLong(extent.position());
    }
    return out.flip();
  }

  /**
   * Decodes a piece.
   *
   * @throws DamagedRecordException if the entry is none
   */
  static CheckpointPiece decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    int fields = in.limit() < NOTE_AT ? NOTE_AT : NOTE_AT + (in.get(3) & 0xff);
    int extentBytes = in.limit() - fields - FIELD_BYTES;
    if (extentBytes < 0
        || extentBytes % EXTENT_BYTES != 0
        || in.get(0) != MAGIC
        || in.get(1) != VERSION
        || in.get(2) != KIND) {
      throw new DamagedRecordException(address, "it is no piece of a checkpoint");
    }
    ByteBuffer note = ByteBuffer.allocate(fields - NOTE_AT);
    note.put(in.slice(NOTE_AT, fields - NOTE_AT)).flip();
    in.position(fields);
    long checkpoint = in.getLong();
    int number = in.getInt();
    int count = in.getInt();
    Fields state =
        new Fields(
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getInt(),
            note.asReadOnlyBuffer());
    if (number < 0 || number >= count || state.before() < 0 || state.place() < 0) {
      throw new DamagedRecordException(address, "its fields are out of range");
    }
    List<Extent> extents = new ArrayList<>(extentBytes / EXTENT_BYTES);
    while (in.hasRemaining()) {
      extents.add(new Extent(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
    return new CheckpointPiece(checkpoint, number, count, state, extents);
  }
}
