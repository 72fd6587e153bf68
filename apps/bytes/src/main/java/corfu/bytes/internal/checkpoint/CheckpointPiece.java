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
 * A piece of a checkpoint, as an entry holds it. Each piece has all fields of the state, and some
 * of its extents. Little-endian.
 *
 * <pre>
 *   0      1         2          3             4
 *   +------+---------+----------+-------------+------+--------+---------+
 *   | 0xCB | version | kind     | note length | note | fields | extents |
 *   +------+---------+----------+-------------+------+--------+---------+
 *
 *   kind: 8, or 9 if entries of the array before this state may be trimmed; 10 and 11 are the
 *         same for an array that has, or has had, an only writer
 *
 *   fields: checkpoint (8), number of the piece (4), count of pieces (4), before (8), place (8),
 *           size (8), change (8), depth (4); of kinds 9 and 11 also: until (8); of kinds 10 and 11
 *           also: writer epoch (8), log address since when (8), whether it is held (1), length of
 *           the owner (1), owner
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
  private static final byte WITH_WRITER = 2; // is added to the others
  private static final int NOTE_AT = 4;
  private static final int WRITER_BYTES = 2 * Long.BYTES + 2;
  private static final int FIELD_BYTES = 5 * Long.BYTES + 3 * Integer.BYTES;

  /** The bytes of an extent. */
  static final int EXTENT_BYTES = 4 * Long.BYTES;

  CheckpointPiece {
    extents = List.copyOf(extents);
  }

  ByteBuffer encoded() {
    WriterMark writer = state.writer();
    boolean hasWriter = !writer.equals(WriterMark.NONE);
    int kind = (until.isPresent() ? FLOOR : KIND) + (hasWriter ? WITH_WRITER : 0);
    int fields = FIELD_BYTES + (until.isPresent() ? Long.BYTES : 0);
    fields += hasWriter ? WRITER_BYTES + writer.owner().remaining() : 0;
    int bytes = NOTE_AT + state.note().remaining() + fields + extents.size() * EXTENT_BYTES;
    ByteBuffer out =
        ByteBuffer.allocate(bytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(MAGIC)
            .put(VERSION)
            .put((byte) kind)
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
    until.ifPresent(out::putLong);
    if (hasWriter) {
      out.putLong(writer.epoch()).putLong(writer.since()).put((byte) (writer.isHeld() ? 1 : 0));
      out.put((byte) writer.owner().remaining()).put(writer.owner());
    }
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
    int kind = in.limit() < NOTE_AT ? 0 : in.get(2);
    boolean hasWriter = kind >= KIND + WITH_WRITER;
    boolean isFloor = kind == FLOOR || kind == FLOOR + WITH_WRITER;
    int writerAt = fields + FIELD_BYTES + (isFloor ? Long.BYTES : 0);
    int extentBytes = in.limit() - writerAt - (hasWriter ? writerBytes(in, writerAt) : 0);
    if (extentBytes < 0
        || extentBytes % EXTENT_BYTES != 0
        || in.get(0) != MAGIC
        || in.get(1) != VERSION
        || kind < KIND
        || kind > FLOOR + WITH_WRITER) {
      throw new DamagedRecordException(address, "it is no piece of a checkpoint");
    }
    ByteBuffer note = ByteBuffer.allocate(fields - NOTE_AT);
    note.put(in.slice(NOTE_AT, fields - NOTE_AT)).flip();
    in.position(fields);
    long checkpoint = in.getLong();
    int number = in.getInt();
    int count = in.getInt();
    long before = in.getLong();
    long place = in.getLong();
    long size = in.getLong();
    long change = in.getLong();
    int depth = in.getInt();
    OptionalLong until = isFloor ? OptionalLong.of(in.getLong()) : OptionalLong.empty();
    WriterMark writer = hasWriter ? writer(in) : WriterMark.NONE;
    Fields state = new Fields(before, place, size, change, depth, note.asReadOnlyBuffer(), writer);
    if (number < 0 || number >= count || state.before() < 0 || state.place() < 0) {
      throw new DamagedRecordException(address, "its fields are out of range");
    }
    List<Extent> extents = new ArrayList<>(extentBytes / EXTENT_BYTES);
    while (in.hasRemaining()) {
      extents.add(new Extent(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
    return new CheckpointPiece(until, checkpoint, number, count, state, extents);
  }

  private static int writerBytes(ByteBuffer in, int at) {
    int ownerLengthAt = at + WRITER_BYTES - 1;
    return WRITER_BYTES + (ownerLengthAt < in.limit() ? in.get(ownerLengthAt) & 0xff : 0);
  }

  private static WriterMark writer(ByteBuffer in) {
    long epoch = in.getLong();
    long since = in.getLong();
    boolean isHeld = in.get() != 0;
    ByteBuffer owner = ByteBuffer.allocate(in.get() & 0xff);
    owner.put(in.slice(in.position(), owner.capacity())).flip();
    in.position(in.position() + owner.capacity());
    return new WriterMark(epoch, isHeld, owner.asReadOnlyBuffer(), since);
  }
}
