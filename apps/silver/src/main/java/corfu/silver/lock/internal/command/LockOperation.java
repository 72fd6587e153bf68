package corfu.silver.lock.internal.command;

import corfu.fuse.protocol.FileLock;

/** An operation of a session on its locks. */
public sealed interface LockOperation {

  /**
   * Takes a lock, or changes its type.
   *
   * @param file the file and the kind of lock
   * @param owner the owner, as its mount names it
   * @param lock the range, with the type READ or WRITE
   * @param waits whether the request waits for other owners
   * @param request the number of the request, unique in its session
   */
  record Acquire(LockedFile file, long owner, FileLock lock, boolean waits, long request)
      implements LockOperation {}

  /**
   * Gives a range back.
   *
   * @param file the file and the kind of lock
   * @param owner the owner, as its mount names it
   * @param start the first byte
   * @param end the last byte
   */
  record Unlock(LockedFile file, long owner, long start, long end) implements LockOperation {}

  /**
   * Gives up a request that waits.
   *
   * @param file the file and the kind of lock that the request waits for
   * @param request the number of the request
   */
  record Withdraw(LockedFile file, long request) implements LockOperation {}
}
