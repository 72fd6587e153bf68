package corfu.silver.internal.inode;

import corfu.fuse.protocol.Timestamp;

/**
 * The times of a node.
 *
 * @param access the last read, as far as somebody has set it
 * @param modification the last change of the data
 * @param change the last change of anything
 * @param birth the creation
 * @param modifiedAt the log address of the entry that set {@code modification}
 */
public record Times(
    Timestamp access, Timestamp modification, Timestamp change, Timestamp birth, long modifiedAt) {

  private static final int NANOS = 1_000_000_000;

  static Times born(Timestamp time, long address) {
    return new Times(time, time, time, time, address);
  }

  Times changed(Timestamp time) {
    return new Times(access, modification, later(time, change), birth, modifiedAt);
  }

  /** The kernel tells changed data by another time, so the same time twice is moved on. */
  Times modified(Timestamp time, long address) {
    Timestamp moved = later(time, modification);
    return new Times(access, moved, later(time, change), birth, address);
  }

  Times withAccess(Timestamp time) {
    return new Times(time, modification, change, birth, modifiedAt);
  }

  Times withModification(Timestamp time, long address) {
    return new Times(access, time, change, birth, address);
  }

  private static Timestamp later(Timestamp time, Timestamp before) {
    if (!time.equals(before)) {
      return time;
    }
    return time.nanos() + 1 == NANOS
        ? new Timestamp(time.seconds() + 1, 0)
        : new Timestamp(time.seconds(), time.nanos() + 1);
  }
}
