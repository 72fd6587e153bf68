package corfu.bytes.internal.checkpoint;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A piece of a checkpoint of version 1, which is read, but not written any more. Each piece has all
 * fields of the state, and some of its extents. Little-endian.
 *
 * <pre>
 *   0      1         2          3             4
 *   +------+---------+----------+-------------+------+--------+---------+
 *   | 0xCB | version | kind     | note length | note | fields | extents |
 *   +------+---------+----------+-------------+------+--------+---------+
 *
 *   kind: 8, or 9 if entries of the array before this state may be trimmed
 *
 *   fields: checkpoint (8), number of the piece (4), count of pieces (4), before (8), place (8),
 *           size (8), change (8), depth (4); of kind 9 also: until (8)
 *   extent: offset (8), length (8), log address (8), position in that entry's payload (8)
 * </pre>
 *
 * @param until the last version of which this is the state for certain, if entries of other
 *     versions may be trimmed
 * @param checkpoint an id that all pieces of the checkpoint have
 * @param number the piece's number, from 0 on
 * @param count the number of pieces
 * @param state the state's fields
 * @param extents the state's extents in this piece, by their offsets
 */
record CheckpointPiece(
    OptionalLong until,
    long checkpoint,
    int number,
    int count,
    Fields state,
    List<Extent> extents) {

  /** The fields of a state, without its extents. */
  record Fields(
      long before,
      long place,
      long size,
      long change,
      int depth,
      ByteBuffer note,
      WriterMark writer) {}

  private static final byte MAGIC = (byte) 0xCB;
  private static final byte VERSION = 1;
  private static final byte KIND = 8;
  private static final byte FLOOR = 9;
  private static final int NOTE_AT = 4;
  private static final int FIELD_BYTES = 5 * Long.BYTES + 3 * Integer.BYTES;

  /** The bytes of an extent. */
  static final int EXTENT_BYTES = 4 * Long.BYTES;

  CheckpointPiece {
    extents = List.copyOf(extents);
  }

  /**
   * Decodes a piece.
   *
   * @throws DamagedRecordException if the entry is none
   */
  static CheckpointPiece decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    int fields = in.limit() < NOTE_AT ? NOTE_AT : NOTE_AT + (in.get(3) & 0xff);
    boolean isFloor = in.limit() > 2 && in.get(2) == FLOOR;
    int extentBytes = in.limit() - fields - FIELD_BYTES - (isFloor ? Long.BYTES : 0);
    if (extentBytes < 0
        || extentBytes % EXTENT_BYTES != 0
        || in.get(0) != MAGIC
        || in.get(1) != VERSION
        || (in.get(2) != KIND && !isFloor)) {
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
            note.asReadOnlyBuffer(),
            WriterMark.NONE);
    OptionalLong until = isFloor ? OptionalLong.of(in.getLong()) : OptionalLong.empty();
    if (number < 0 || number >= count || state.before() < 0 || state.place() < 0) {
      throw new DamagedRecordException(address, "its fields are out of range");
    }
    List<Extent> extents = new ArrayList<>(extentBytes / EXTENT_BYTES);
    while (in.hasRemaining()) {
      extents.add(new Extent(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
    return new CheckpointPiece(until, checkpoint, number, count, state, extents);
  }
}
