package corfu.silver.lock;

import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.silver.lock.internal.machine.SessionState;
import corfu.silver.lock.internal.machine.SessionView;

/** Events that a planted bug can suppress. */
final class MutedEvents implements SessionEvents {

  private final SessionEvents events;
  boolean isMuted;

  MutedEvents(SessionEvents events) {
    this.events = events;
  }

  private SessionEvents target() {
    return isMuted ? SessionEvents.NONE : events;
  }

  @Override
  public void installed(SessionView machine) {
    events.installed(machine);
  }

  @Override
  public void renewed(long session, SessionState state) {
    target().renewed(session, state);
  }

  @Override
  public void ended(long session) {
    target().ended(session);
  }

  @Override
  public void holds(LockOwner owner, LockedFile file) {
    target().holds(owner, file);
  }

  @Override
  public void holdsNothing(LockOwner owner, LockedFile file) {
    target().holdsNothing(owner, file);
  }

  @Override
  public void waits(long session, long request) {
    target().waits(session, request);
  }

  @Override
  public void granted(long session, long request) {
    target().granted(session, request);
  }

  @Override
  public void withdrawn(long session, long request) {
    target().withdrawn(session, request);
  }
}
