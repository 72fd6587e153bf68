package corfu.silver.lock.internal.mount;

import corfu.fuse.linux.Errno;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.internal.command.BatchReply;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.FileOwner;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.silver.lock.internal.machine.SessionState;
import corfu.silver.lock.internal.machine.SessionView;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that a mount knows: its own one, own ones that it has given up, and the silence of
 * those of other mounts. The owner of the mount's lock calls it; events of a replica take the lock.
 */
public final class LockSessions {

  private static final Logger LOG = LoggerFactory.getLogger(LockSessions.class);

  /** A mount without the log gives up one session in each timeout, at most. */
  private static final int MAX_ABANDONED = 64;

  private final World world;
  private final Duration timeout;
  private final Consumer<List<LostLock>> lost;
  private final ReentrantLock lock; // acquired after the replica's lock
  private final Runnable wake;
  private final SessionWatch silences = new SessionWatch();
  private final List<LockCommand> abandoned = new ArrayList<>(); // ends of own sessions
  private Optional<MountSession> session = Optional.empty();
  private Optional<Receiver> receiver = Optional.empty();

  /**
   * Returns a mount without sessions.
   *
   * @param timeout the timeout of own sessions
   * @param lost receives lost locks, on a thread of its own
   * @param lock the mount's lock
   * @param wake starts the sender if there is something to send; called with the lock
   */
  public LockSessions(
      World world,
      Duration timeout,
      Consumer<List<LostLock>> lost,
      ReentrantLock lock,
      Runnable wake) {
    this.world = world;
    this.timeout = timeout;
    this.lost = lost;
    this.lock = lock;
    this.wake = wake;
  }

  /** Returns the mount's session, if it has one. */
  public Optional<MountSession> own() {
    return session;
  }

  /** Returns the id of the mount's session, or 0 if it has none. */
  public long id() {
    return session.map(MountSession::id).orElse(0L);
  }

  /** Begins a session. */
  public MountSession begin() {
    long id = world.random().nextLong();
    MountSession begun = new MountSession(id, timeout, world.nanoTime(), this::giveUp);
    session = Optional.of(begun);
    return begun;
  }

  private void giveUp(LockRequest request) {
    lock.lock();
    try {
      session.ifPresent(now -> deliver(now.giveUp(request)));
      wake.run();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the session without a report of lost locks. Its requests end with EIO. */
  public void leave() {
    session.ifPresent(
        now -> {
          deliver(now.end(Errno.EIO));
          addAbandoned(now);
          session = Optional.empty();
        });
  }

  /** Ends the session, because the replica has failed. */
  public void replicaFailed() {
    session.ifPresent(now -> lose(now, "its replica has failed"));
    abandoned.clear();
  }

  /** Ends the session if it had no contact to the log for its timeout. */
  public void endIfOverdue() {
    session
        .filter(now -> now.isOverdue(world.nanoTime()))
        .ifPresent(now -> abandon(now, "it had no contact to the log for " + timeout));
  }

  /** Ends a session that the log may still have. */
  private void abandon(MountSession over, String reason) {
    addAbandoned(over);
    lose(over, reason);
  }

  private void addAbandoned(MountSession over) {
    if (abandoned.size() == MAX_ABANDONED) {
      abandoned.removeFirst(); // a later replica of this mount finds that it is silent
    }
    abandoned.add(new LockCommand.End(over.id()));
  }

  /** Ends the mount's part of a session. */
  private void lose(MountSession over, String reason) {
    List<LostLock> locks = over.locks();
    List<Runnable> ends = new ArrayList<>(over.end(Errno.EIO));
    session = Optional.empty();
    if (!locks.isEmpty() || !ends.isEmpty()) {
      LOG.warn(
          "session {} of locks has ended: {}. Owners of locks on {} files have lost them",
          Long.toHexString(over.id()),
          reason,
          locks.size());
    }
    if (!locks.isEmpty()) {
      ends.addFirst(() -> lost.accept(locks));
    }
    deliver(ends);
    wake.run();
  }

  /** Runs tasks that may run code of others, on a thread without locks. */
  private void deliver(List<Runnable> tasks) {
    if (!tasks.isEmpty()) {
      var unused = world.start("corfu-silver-lock-outcomes", () -> tasks.forEach(Runnable::run));
    }
  }

  /** Receives the reply to a batch. */
  public void received(MountSession of, LockCommand.Batch batch, BatchReply reply) {
    if (session.filter(now -> now == of).isEmpty()) {
      return;
    }
    switch (reply) {
      case BatchReply.Applied applied -> {
        if (of.isLate(world.nanoTime())) {
          abandon(of, "a reply of the log came after " + timeout);
          return;
        }
        deliver(of.applied(batch, applied));
      }
      case BatchReply.Gone() -> lose(of, "the log has no such session any more");
      case BatchReply.TooManySessions() -> {
        LOG.warn("the file system has too many mounts with locks: unmount some of them");
        session = Optional.empty();
        deliver(of.end(Errno.ENOLCK));
      }
    }
  }

  /** Returns the next batch of a session, or nothing if the session is over. */
  public Optional<LockCommand.Batch> nextBatch(MountSession of) {
    return session.filter(now -> now == of).map(now -> now.next(world.nanoTime()));
  }

  /** Returns whether there are sessions that the mount has given up. */
  public boolean hasAbandoned() {
    return !abandoned.isEmpty();
  }

  /** Returns the ends of sessions that the mount has given up. */
  public List<LockCommand> abandoned() {
    return List.copyOf(abandoned);
  }

  /** Forgets a session that the mount has given up, because the log has its end. */
  public void forget(LockCommand end) {
    abandoned.remove(end);
  }

  /** Leaves it to other mounts to end the sessions that this mount has given up. */
  public void forgetAbandoned() {
    abandoned.clear();
  }

  /** Returns proposals to end the sessions of other mounts that are silent. */
  public List<LockCommand.Expire> overdue() {
    return silences.overdue(world.nanoTime());
  }

  /** Returns the receiver of a new replica's events. Those of an earlier replica are ignored. */
  public SessionEvents attach() {
    silences.clear();
    Receiver begun = new Receiver();
    receiver = Optional.of(begun);
    return begun;
  }

  /** Ignores all further events of the replica. */
  public void detach() {
    receiver = Optional.empty();
  }

  /** Receives the events of one replica. */
  private final class Receiver implements SessionEvents {

    private void receive(Consumer<Optional<MountSession>> event) {
      lock.lock();
      try {
        if (receiver.filter(present -> present == this).isPresent()) {
          event.accept(session);
        }
      } finally {
        lock.unlock();
      }
    }

    private void receive(long id, Consumer<MountSession> event) {
      receive(now -> now.filter(own -> own.id() == id).ifPresent(event));
    }

    @Override
    public void installed(SessionView machine) {
      receive(
          now -> {
            silences.clear();
            machine.sessions().forEach(this::watch);
            now.ifPresent(
                own -> {
                  if (machine.sessions().containsKey(own.id())) {
                    deliver(own.installed(machine.locksOf(own.id())));
                  } else if (own.isOpen()) {
                    lose(own, "the log has no such session any more");
                  }
                });
          });
    }

    private void watch(long id, SessionState state) {
      if (id != id()) {
        silences.renewed(id, state.sequence(), state.timeoutMillis(), world.nanoTime());
      }
    }

    @Override
    public void renewed(long id, SessionState state) {
      receive(now -> watch(id, state));
    }

    @Override
    public void ended(long id) {
      receive(now -> silences.ended(id));
      receive(id, own -> lose(own, "another mount has ended it"));
    }

    @Override
    public void holds(LockOwner owner, LockedFile file) {
      receive(owner.session(), own -> own.holds(new FileOwner(file, owner.owner())));
    }

    @Override
    public void holdsNothing(LockOwner owner, LockedFile file) {
      receive(owner.session(), own -> own.holdsNothing(new FileOwner(file, owner.owner())));
    }

    @Override
    public void waits(long id, long request) {
      receive(id, own -> own.waits(request));
    }

    @Override
    public void granted(long id, long request) {
      receive(
          id,
          own -> {
            endIfOverdue();
            deliver(own.granted(request)); // nothing if the session is over
          });
    }

    @Override
    public void withdrawn(long id, long request) {
      receive(id, own -> own.withdrawn(request));
    }
  }
}
