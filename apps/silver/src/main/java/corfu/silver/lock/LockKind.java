package corfu.silver.lock;

/** The two kinds of locks of a file. Locks of different kinds never conflict. */
public enum LockKind {
  /** A lock of a range of bytes, as {@code fcntl} takes it. */
  BYTE_RANGE(0),
  /** A lock of an open file, as {@code flock} takes it: a range of all bytes. */
  WHOLE_FILE(1);

  private final int code;

  LockKind(int code) {
    this.code = code;
  }

  /** Returns the number of this kind in the log. */
  public int code() {
    return code;
  }
}
