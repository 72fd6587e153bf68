package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.command.LockOperation.Acquire;
import corfu.silver.lock.internal.command.LockOperation.Unlock;
import corfu.silver.lock.internal.command.LockOperation.Withdraw;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockStatus;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.FileLocks.Held;
import corfu.silver.lock.internal.machine.FileLocks.Waiter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All sessions, locks and waiting requests of a file system. A function of the operations alone.
 *
 * <p>A free lock goes to the oldest waiting request that it suits. A new request gets a lock that
 * is free, even if an older request waits for a part of it, as on a local file system.
 */
final class LockState {

  /** The room of a waiting request. Its grant may split a range of its owner into three. */
  static final int WAITER_SIZE = 2;

  private final Limits limits;
  private final Map<Long, SessionState> sessions = new LinkedHashMap<>();
  private final Map<LockedFile, FileLocks> files = new LinkedHashMap<>();
  private final WaitGraph graph = new WaitGraph();
  private final SessionEvents events;
  private int size;

  /**
   * The bounds of the state.
   *
   * @param sessions the number of sessions at most
   * @param size the number of locks of all sessions at most; a waiting request counts as two
   * @param sizeOfSession the number of locks of one session at most
   */
  record Limits(int sessions, int size, int sizeOfSession) {}

  LockState(Limits limits, SessionEvents events) {
    this.limits = limits;
    this.events = events;
  }

  Map<Long, SessionState> sessions() {
    return sessions;
  }

  Map<LockedFile, FileLocks> files() {
    return files;
  }

  int size() {
    return size;
  }

  /** Begins a session, or returns nothing if there are too many. */
  Optional<SessionState> begin(long session, int timeoutMillis) {
    if (sessions.size() >= limits.sessions()) {
      return Optional.empty();
    }
    SessionState begun = new SessionState(timeoutMillis);
    sessions.put(session, begun);
    return Optional.of(begun);
  }

  /** Ends a session. Its locks go to requests of other sessions. */
  void end(long session) {
    SessionState ended = sessions.remove(session);
    if (ended == null) {
      return;
    }
    events.ended(session);
    size -= ended.size();
    for (LockedFile file : List.copyOf(files.keySet())) {
      FileLocks locks = of(file);
      boolean hadLocks = locks.held().keySet().removeIf(owner -> owner.session() == session);
      List<Waiter> gone =
          locks.waiters().stream().filter(one -> one.owner().session() == session).toList();
      locks.waiters().removeAll(gone);
      gone.forEach(waiter -> graph.remove(waiter));
      if (hadLocks) {
        grant(file, locks);
      }
      dropIfEmpty(file, locks);
    }
  }

  private FileLocks of(LockedFile file) {
    return files.getOrDefault(file, new FileLocks());
  }

  /** Applies an operation of a session that exists. */
  LockStatus apply(long session, SessionState state, LockOperation operation) {
    return switch (operation) {
      case Acquire acquire -> acquire(new LockOwner(session, acquire.owner()), state, acquire);
      case Unlock(LockedFile file, long owner, long start, long end) ->
          unlock(
              file,
              new LockOwner(session, owner),
              state,
              new FileLock(FileLock.Type.UNLOCKED, start, end, 0));
      case Withdraw(LockedFile file, long request) -> withdraw(file, session, state, request);
    };
  }

  private LockStatus acquire(LockOwner owner, SessionState state, Acquire acquire) {
    LockedFile file = acquire.file();
    FileLock lock = acquire.lock();
    FileLocks locks = files.computeIfAbsent(file, unused -> new FileLocks());
    LockStatus outcome;
    if (locks.conflict(owner, lock).isEmpty()) {
      outcome = replace(file, locks, owner, state, lock);
    } else if (!acquire.waits()) {
      outcome = LockStatus.CONFLICT;
    } else if (!hasRoom(state, WAITER_SIZE)) {
      outcome = LockStatus.NO_ROOM;
    } else if (graph.wouldDeadlock(locks, owner, lock)) {
      outcome = LockStatus.DEADLOCK;
    } else {
      outcome = LockStatus.WAITS;
      addWaiter(locks, state, new Waiter(owner, acquire.request(), lock));
      events.waits(owner.session(), acquire.request());
    }
    dropIfEmpty(file, locks);
    return outcome;
  }

  private void addWaiter(FileLocks locks, SessionState state, Waiter waiter) {
    locks.waiters().add(waiter);
    graph.add(locks, waiter);
    grow(state, WAITER_SIZE);
  }

  private LockStatus unlock(LockedFile file, LockOwner owner, SessionState state, FileLock range) {
    FileLocks locks = of(file);
    LockStatus outcome = replace(file, locks, owner, state, range);
    dropIfEmpty(file, locks);
    return outcome;
  }

  /** Changes the locks of an owner if there is room, and grants locks that are free then. */
  private LockStatus replace(
      LockedFile file, FileLocks locks, LockOwner owner, SessionState state, FileLock lock) {
    LockedRanges before = locks.of(owner);
    LockedRanges after = before.with(lock);
    int growth = after.size() - before.size();
    if (growth > 0 && !hasRoom(state, growth)) {
      return LockStatus.NO_ROOM;
    }
    put(file, locks, owner, after);
    grow(state, growth);
    if (before.isWeakenedBy(lock) || lock.type() == FileLock.Type.UNLOCKED) {
      grant(file, locks);
    }
    return LockStatus.DONE;
  }

  private void put(LockedFile file, FileLocks locks, LockOwner owner, LockedRanges after) {
    boolean hadSome = !locks.of(owner).isEmpty();
    locks.put(owner, after);
    if (after.isEmpty() && hadSome) {
      events.holdsNothing(owner, file);
    } else if (!after.isEmpty() && !hadSome) {
      events.holds(owner, file);
    }
  }

  private LockStatus withdraw(LockedFile file, long session, SessionState state, long request) {
    FileLocks locks = of(file);
    Optional<Waiter> waiting =
        locks.waiters().stream()
            .filter(one -> one.owner().session() == session && one.request() == request)
            .findFirst();
    if (waiting.isEmpty()) {
      return LockStatus.GRANTED_BEFORE;
    }
    removeWaiter(locks, state, waiting.get());
    dropIfEmpty(file, locks);
    events.withdrawn(session, request);
    return LockStatus.WITHDRAWN;
  }

  private void removeWaiter(FileLocks locks, SessionState state, Waiter waiter) {
    locks.waiters().remove(waiter);
    graph.remove(waiter);
    grow(state, -WAITER_SIZE);
  }

  /**
   * Gives locks to requests that wait, in their order. A grant may weaken a lock, and free more.
   */
  private void grant(LockedFile file, FileLocks locks) {
    boolean again = true;
    while (again) {
      again = false;
      for (Waiter waiter : List.copyOf(locks.waiters())) {
        if (locks.conflict(waiter.owner(), waiter.lock()).isEmpty()) {
          again |= grant(file, locks, waiter);
        }
      }
    }
  }

  /** Returns whether the owner has given something up by this grant. */
  private boolean grant(LockedFile file, FileLocks locks, Waiter waiter) {
    LockOwner owner = waiter.owner();
    SessionState state = existing(owner);
    removeWaiter(locks, state, waiter);
    LockedRanges before = locks.of(owner);
    LockedRanges after = before.with(waiter.lock());
    put(file, locks, owner, after);
    grow(state, after.size() - before.size());
    events.granted(owner.session(), waiter.request());
    return before.isWeakenedBy(waiter.lock());
  }

  private boolean hasRoom(SessionState state, int more) {
    return size + more <= limits.size() && state.size() + more <= limits.sizeOfSession();
  }

  private void grow(SessionState state, int by) {
    size += by;
    state.grow(by);
  }

  private void dropIfEmpty(LockedFile file, FileLocks locks) {
    if (locks.isEmpty()) {
      files.remove(file);
    }
  }

  /** Returns a lock that conflicts with that of an owner. */
  Optional<Held> conflict(LockedFile file, LockOwner owner, FileLock lock) {
    return of(file).conflict(owner, lock);
  }

  /** Adds a session of a saved state. */
  void load(long session, SessionState state) {
    sessions.put(session, state);
  }

  /** Adds locks of a saved state. */
  void load(LockedFile file, LockOwner owner, LockedRanges ranges) {
    files.computeIfAbsent(file, unused -> new FileLocks()).put(owner, ranges);
    grow(existing(owner), ranges.size());
  }

  /** Adds a waiting request of a saved state. */
  void load(LockedFile file, Waiter waiter) {
    addWaiter(
        files.computeIfAbsent(file, unused -> new FileLocks()), existing(waiter.owner()), waiter);
  }

  private SessionState existing(LockOwner owner) {
    SessionState state = sessions.get(owner.session());
    if (state == null) {
      throw new IllegalArgumentException(
          "there are locks of the session %016x, which does not exist".formatted(owner.session()));
    }
    return state;
  }
}
