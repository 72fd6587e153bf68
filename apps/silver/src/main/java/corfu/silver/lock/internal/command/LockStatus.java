package corfu.silver.lock.internal.command;

/** The outcome of an operation. A reply contains its ordinal number, so new ones come last. */
public enum LockStatus {
  /** The owner has the lock, or has given it back. */
  DONE,
  /** Another owner has a lock that conflicts. */
  CONFLICT,
  /** There is no room for more locks. */
  NO_ROOM,
  /** The owner would wait for itself. */
  DEADLOCK,
  /** The request waits. */
  WAITS,
  /** The request waits no more, and its owner does not get the lock. */
  WITHDRAWN,
  /** The request did not wait any more: its owner has the lock. */
  GRANTED_BEFORE
}
