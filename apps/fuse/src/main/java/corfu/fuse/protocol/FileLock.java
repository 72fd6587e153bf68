package corfu.fuse.protocol;

import java.util.Arrays;
import java.util.Optional;

/**
 * A range of a file with a lock, or without one.
 *
 * @param type whether the range is locked, and how
 * @param start the first byte
 * @param end the last byte; {@link Long#MAX_VALUE} means the end of all offsets
 * @param pid the process of the lock's owner
 */
public record FileLock(Type type, long start, long end, int pid) {

  /** The kinds of locks, with the numbers of Linux. */
  public enum Type {
    /** A lock that several owners can have. */
    READ(0),
    /** A lock that one owner has alone. */
    WRITE(1),
    /** No lock. */
    UNLOCKED(2);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    /** Returns the kind with a number, or nothing if there is none. */
    static Optional<Type> of(int code) {
      return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /** Returns the number that Linux gives to this kind. */
    public int code() {
      return code;
    }
  }
}
