package corfu.silver.lock.internal.machine;

import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;

/**
 * Receives the changes of a replica in the order of the log. The replica calls one method at a
 * time; no method may block.
 */
public interface SessionEvents {

  /** Ignores all events. */
  SessionEvents NONE =
      new SessionEvents() {
        @Override
        public void installed(SessionView machine) {}

        @Override
        public void renewed(long session, SessionState state) {}

        @Override
        public void ended(long session) {}

        @Override
        public void holds(LockOwner owner, LockedFile file) {}

        @Override
        public void holdsNothing(LockOwner owner, LockedFile file) {}

        @Override
        public void waits(long session, long request) {}

        @Override
        public void granted(long session, long request) {}

        @Override
        public void withdrawn(long session, long request) {}
      };

  /** The replica uses this machine from now on. Events since the one before may be lost. */
  void installed(SessionView machine);

  /** A session has begun, or has applied a command. */
  void renewed(long session, SessionState state);

  /** A session has ended, and with it all its locks and requests. */
  void ended(long session);

  /** An owner has a lock on a file, and had none before. */
  void holds(LockOwner owner, LockedFile file);

  /** An owner has given back its last lock on a file. */
  void holdsNothing(LockOwner owner, LockedFile file);

  /** A request begins to wait. */
  void waits(long session, long request);

  /** A request waits no more: its owner has the lock. */
  void granted(long session, long request);

  /** A request waits no more: its session has given it up. */
  void withdrawn(long session, long request);
}
