package corfu.silver.lock.internal.command;

/** The outcome of an operation. A reply contains its number. */
public enum LockStatus {
  /** The owner has the lock, or has given it back. */
  DONE(0),
  /** Another owner has a lock that conflicts. */
  CONFLICT(1),
  /** There is no room for more locks. */
  NO_ROOM(2),
  /** The owner would wait for itself. */
  DEADLOCK(3),
  /** The request waits. */
  WAITS(4),
  /** The request waits no more, and its owner does not get the lock. */
  WITHDRAWN(5),
  /** The request did not wait any more: its owner has the lock. */
  GRANTED_BEFORE(6);

  private final int code;

  LockStatus(int code) {
    this.code = code;
  }

  /** Returns the number of this outcome in replies. */
  int code() {
    return code;
  }
}
