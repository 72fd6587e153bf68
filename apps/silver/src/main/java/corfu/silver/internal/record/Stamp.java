package corfu.silver.internal.record;

import corfu.fuse.protocol.Timestamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The time and the author of a change, as a note of 16 bytes: seconds (8), nanoseconds (4), user
 * (4), little-endian.
 *
 * @param time the writer's clock, for people only
 * @param uid the user
 */
public record Stamp(Timestamp time, int uid) {

  /** The bytes of a note. */
  public static final int BYTES = 16;

  /** Returns the note for an entry. */
  public ByteBuffer note() {
    ByteBuffer note = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    put(note);
    return note.flip();
  }

  void put(ByteBuffer out) {
    out.putLong(time.seconds()).putInt(time.nanos()).putInt(uid);
  }

  /** Returns the stamp of a note, or the beginning of 1970 if it is none. */
  public static Stamp of(ByteBuffer note) {
    if (note.remaining() < BYTES) {
      return new Stamp(Timestamp.EPOCH, 0);
    }
    return read(note.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  static Stamp read(ByteBuffer in) {
    long seconds = in.getLong();
    int nanos = in.getInt();
    boolean isSound = nanos >= 0 && nanos <= 999_999_999;
    return new Stamp(isSound ? new Timestamp(seconds, nanos) : Timestamp.EPOCH, in.getInt());
  }
}
