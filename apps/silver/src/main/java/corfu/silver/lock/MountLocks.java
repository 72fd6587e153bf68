package corfu.silver.lock;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.silver.lock.internal.command.BatchReply;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.LockMachine.FileOwner;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.silver.lock.internal.machine.SessionState;
import corfu.silver.lock.internal.mount.LockRequest;
import corfu.silver.lock.internal.mount.MountSession;
import corfu.silver.lock.internal.mount.SessionWatch;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import corfu.smr.ReplicaClosedException;
import corfu.smr.StateMachineReplica;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of a file system, as one mount sees them. All mounts share them through the log. A
 * mount without locks has no session and no replica: it costs nothing.
 *
 * <p>The mount vouches for its session in the log. If it has no contact to the log for the
 * session's timeout, or if the log says that the session has ended, then its locks are lost. It
 * reports them, and opens another session with the next request. Thread-safe; no method but {@link
 * #get} and {@link #close} blocks.
 */
public final class MountLocks implements AutoCloseable {

  /** Requests without an outcome that take locks, at most; above it they fail with ENOLCK. */
  private static final int MAX_REQUESTS = 65_536;

  private static final int VOUCHES_A_TIMEOUT = 4;

  /** A mount that is idle for so many timeouts ends its session, and closes its replica. */
  private static final int IDLE_TIMEOUTS = 2;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private static final Logger LOG = LoggerFactory.getLogger(MountLocks.class);

  private final World world;
  private final Duration timeout;
  private final Consumer<List<LostLock>> lost;
  private final Function<SessionEvents, StateMachineReplica<LockMachine>> opener;
  private final ReentrantLock lock = new ReentrantLock(); // acquired after the replica's lock
  private final SessionWatch watch = new SessionWatch();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final List<LockCommand> abandoned = new ArrayList<>(); // ends of own sessions
  private Optional<Attachment> attachment = Optional.empty();
  private Optional<MountSession> session = Optional.empty();
  private int readers;
  private long idleSinceNanos;
  private boolean isVouchDue;
  private boolean isSilenceDue; // other sessions may be overdue
  private boolean isSending;
  private boolean isClosed;

  MountLocks(
      Corfu corfu,
      StreamId fileSystem,
      LockOptions options,
      Consumer<List<LostLock>> lost,
      Function<SessionEvents, LockMachine> machines) {
    this.world = corfu.streamAccess().world();
    this.timeout = options.sessionTimeout();
    this.lost = lost;
    this.opener =
        events ->
            StateMachineReplica.open(
                corfu, nameOf(fileSystem), () -> machines.apply(events), options.replica());
  }

  /**
   * Returns the locks of a file system. Sends nothing to the log before the first lock.
   *
   * @param fileSystem the file system
   * @param lost receives the locks that the mount has lost, on a thread of its own. The mount's
   *     next requests of these owners do not wait for it
   */
  public static MountLocks open(
      Corfu corfu, StreamId fileSystem, LockOptions options, Consumer<List<LostLock>> lost) {
    return new MountLocks(corfu, fileSystem, options, lost, LockMachine::new);
  }

  /** Returns the name of the state machine of a file system's locks. */
  static String nameOf(StreamId fileSystem) {
    return "corfu.silver/locks/" + fileSystem;
  }

  // -------------------------------------------------------------------------------- requests

  /**
   * Takes a lock, changes its type, or gives a range back.
   *
   * <p>The future fails with EAGAIN if another owner has the lock and {@code waits} is false, with
   * EDEADLK if owners would wait for one another, with ENOLCK if there is no room, and with EIO if
   * the session has ended meanwhile. Whoever completes or cancels the future gives the request up:
   * it ends with EINTR a little later, or with a success if the owner had the lock.
   *
   * @param file the file
   * @param kind the kind of lock
   * @param owner the owner; its own locks never conflict
   * @param range the lock, or a range of the type UNLOCKED; from byte 0, its end not below its
   *     start
   * @param waits whether to wait for other owners
   */
  public CompletableFuture<Result<Done>> set(
      StreamId file, LockKind kind, long owner, FileLock range, boolean waits) {
    if (range.start() < 0 || range.end() < range.start()) {
      return CompletableFuture.completedFuture(Result.failed(Errno.EINVAL));
    }
    FileOwner holder = new FileOwner(new LockedFile(file, kind), owner);
    return exclusively(() -> request(holder, range, waits));
  }

  private CompletableFuture<Result<Done>> request(FileOwner holder, FileLock range, boolean waits) {
    endIfOverdue();
    boolean isUnlock = range.type() == FileLock.Type.UNLOCKED;
    if (isUnlock && session.filter(now -> now.mayHold(holder)).isEmpty()) {
      return CompletableFuture.completedFuture(Result.done());
    }
    if (isClosed) {
      return CompletableFuture.completedFuture(Result.failed(Errno.EIO));
    }
    MountSession present = session.orElseGet(this::begin);
    // An unlock has always room: the process that waits for it sends nothing else.
    if (!isUnlock && present.requests() >= MAX_REQUESTS) {
      return CompletableFuture.completedFuture(Result.failed(Errno.ENOLCK));
    }
    idleSinceNanos = world.nanoTime();
    LockRequest request = present.add(holder, range, waits);
    send();
    return request;
  }

  private MountSession begin() {
    attach();
    long id = world.random().nextLong();
    MountSession begun = new MountSession(id, timeout, world.nanoTime(), this::giveUp);
    session = Optional.of(begun);
    return begun;
  }

  private void giveUp(LockRequest request) {
    exclusively(
        () -> {
          List<Runnable> ends = session.map(now -> now.giveUp(request)).orElse(List.of());
          deliver(ends);
          send();
          return ends;
        });
  }

  /**
   * Gives back all locks of one kind that an owner has on a file, as the close of a file does.
   * Costs nothing if there are none.
   */
  public CompletableFuture<Result<Done>> release(StreamId file, LockKind kind, long owner) {
    FileLock all = new FileLock(FileLock.Type.UNLOCKED, 0, Long.MAX_VALUE, 0);
    return set(file, kind, owner, all, false);
  }

  /**
   * Returns a lock that conflicts, or one of the type UNLOCKED. Asks the log, and so sees all locks
   * that owners had before this call. The pid of an owner at another mount is 0.
   *
   * @return the lock, or EIO if the log is out of reach within the operation timeout
   */
  public Result<FileLock> get(StreamId file, LockKind kind, long owner, FileLock range) {
    Optional<Attachment> reading = exclusively(this::enter);
    if (reading.isEmpty()) {
      return Result.failed(Errno.EIO);
    }
    try {
      LockedFile locked = new LockedFile(file, kind);
      LockOwner asking = exclusively(() -> new LockOwner(sessionId(), owner));
      FileLock none = new FileLock(FileLock.Type.UNLOCKED, range.start(), range.end(), 0);
      return Result.of(
          reading
              .get()
              .replica()
              .read(machine -> machine.conflict(locked, asking, range).orElse(none)));
    } catch (CorfuException | HistoryForgottenException | ReplicaClosedException away) {
      LOG.warn("cannot read the locks of {}: {}", file, away.getMessage());
      return Result.failed(Errno.EIO);
    } finally {
      exclusively(this::leave);
    }
  }

  private long sessionId() {
    return session.map(MountSession::id).orElse(0L);
  }

  private Optional<Attachment> enter() {
    if (!isClosed) {
      attach();
      readers++;
      return attachment;
    }
    return Optional.empty();
  }

  private boolean leave() {
    readers--;
    idleSinceNanos = world.nanoTime();
    send();
    return true;
  }

  /**
   * Returns whether the locks of an owner on a file are certainly in force. If not, its I/O that
   * relies on a lock must fail: the locks may belong to others, even before the loss is reported.
   */
  public boolean holds(StreamId file, LockKind kind, long owner) {
    FileOwner holder = new FileOwner(new LockedFile(file, kind), owner);
    return exclusively(
        () -> session.filter(now -> now.holds(holder, world.nanoTime())).isPresent());
  }

  /** Returns whether the mount has a replica of the locks. It has none after some time of rest. */
  boolean isAttached() {
    return exclusively(attachment::isPresent);
  }

  private <T> T exclusively(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  // --------------------------------------------------------------------------------- replica

  /** A replica, and its events. A replica that is closed may have late events. */
  private final class Attachment implements SessionEvents {

    private Optional<StateMachineReplica<LockMachine>> opened = Optional.empty();

    StateMachineReplica<LockMachine> replica() {
      return opened.orElseThrow();
    }

    private void receive(Consumer<Optional<MountSession>> event) {
      lock.lock();
      try {
        if (attachment.filter(present -> present == this).isPresent()) {
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
    public void installed(LockMachine machine) {
      receive(
          now -> {
            watch.clear();
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
      if (id != sessionId()) {
        watch.renewed(id, state.sequence(), state.timeoutMillis(), world.nanoTime());
      }
    }

    @Override
    public void renewed(long id, SessionState state) {
      receive(now -> watch(id, state));
    }

    @Override
    public void ended(long id) {
      receive(now -> watch.ended(id));
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

  private void attach() {
    idleSinceNanos = world.nanoTime();
    if (attachment.isEmpty()) {
      watch.clear();
      Attachment begun = new Attachment();
      attachment = Optional.of(begun);
      begun.opened = Optional.of(opener.apply(begun));
      scheduleBeat(begun);
    }
  }

  private void scheduleBeat(Attachment of) {
    var unused = world.after(timeout.toNanos() / VOUCHES_A_TIMEOUT, () -> beat(of));
  }

  /** Ends a session that is overdue, and finds out what there is to send. Never blocks. */
  private void beat(Attachment of) {
    exclusively(
        () -> {
          if (attachment.filter(present -> present == of).isPresent()) {
            endIfOverdue();
            isVouchDue = session.isPresent();
            isSilenceDue = !watch.overdue(world.nanoTime()).isEmpty();
            if (readers > 0 || !session.map(MountSession::isIdle).orElse(true)) {
              idleSinceNanos = world.nanoTime();
            }
            send();
            scheduleBeat(of);
          }
          return of;
        });
  }

  private void endIfOverdue() {
    session
        .filter(now -> now.isOverdue(world.nanoTime()))
        .ifPresent(now -> abandon(now, "it had no contact to the log for " + timeout));
  }

  /** Ends a session that the log may still have. */
  private void abandon(MountSession over, String reason) {
    abandoned.add(new LockCommand.End(over.id()));
    lose(over, reason);
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
    send();
  }

  /** Runs tasks that may run code of others, on a thread without locks. */
  private void deliver(List<Runnable> tasks) {
    if (!tasks.isEmpty()) {
      var unused = world.start("corfu-silver-lock-outcomes", () -> tasks.forEach(Runnable::run));
    }
  }

  // --------------------------------------------------------------------------------- sending

  /** Starts the sender if there is something to send and it does not run. */
  private void send() {
    if (!isSending && !(nextStep() instanceof Step.Rest)) {
      isSending = true;
      var unused = world.start("corfu-silver-locks", this::sendAll);
    }
  }

  /** A step of the sender, which blocks. */
  private sealed interface Step {
    record Rest() implements Step {}

    record Send(MountSession session) implements Step {}

    record End() implements Step {}

    record Propose() implements Step {}

    record Leave() implements Step {}

    record Detach() implements Step {}
  }

  private Step nextStep() {
    if (attachment.isEmpty()) {
      return new Step.Rest();
    }
    if (session.isPresent() && (session.get().hasWork() || isVouchDue)) {
      return new Step.Send(session.get());
    }
    if (!abandoned.isEmpty()) {
      return new Step.End();
    }
    if (isSilenceDue) {
      return new Step.Propose();
    }
    long idleNanos = world.nanoTime() - idleSinceNanos;
    boolean isIdle = isClosed || idleNanos >= IDLE_TIMEOUTS * timeout.toNanos();
    if (readers == 0 && isIdle && session.map(MountSession::isIdle).orElse(true)) {
      return session.isPresent() ? new Step.Leave() : new Step.Detach();
    }
    return new Step.Rest();
  }

  private void sendAll() {
    Duration pause = FIRST_PAUSE;
    while (true) {
      lock.lock();
      Step step;
      Optional<Attachment> at = attachment;
      try {
        step = nextStep();
        isSending = !(step instanceof Step.Rest);
      } finally {
        lock.unlock();
      }
      if (step instanceof Step.Rest || at.isEmpty()) {
        return;
      }
      if (carryOut(step, at.get())) {
        pause = FIRST_PAUSE;
      } else {
        world.pause(pause);
        Duration most = timeout.dividedBy(2L * VOUCHES_A_TIMEOUT);
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(most) < 0 ? twice : most;
      }
    }
  }

  /** Carries a step out, and returns whether it reached the log. */
  private boolean carryOut(Step step, Attachment at) {
    try {
      switch (step) {
        case Step.Rest() -> {}
        case Step.Send(MountSession of) -> sendBatch(of, at.replica());
        case Step.End() -> end(at.replica());
        case Step.Propose() -> propose(at.replica());
        case Step.Leave() -> leaveSession();
        case Step.Detach() -> detach(at, false);
      }
      return true;
    } catch (CorfuException | CommandOutcomeUnknownException | HistoryForgottenException away) {
      LOG.debug("the log of locks is out of reach", away);
      return false;
    } catch (RuntimeException failure) {
      LOG.error("the replica of locks has failed; the mount loses its locks", failure);
      exclusively(
          () -> {
            session.ifPresent(now -> lose(now, "its replica has failed"));
            abandoned.clear();
            return at;
          });
      detach(at, true);
      return false;
    }
  }

  private void sendBatch(MountSession of, StateMachineReplica<LockMachine> replica) {
    Optional<LockCommand.Batch> next =
        exclusively(
            () -> {
              isVouchDue = false;
              return session.filter(now -> now == of).map(now -> now.next(world.nanoTime()));
            });
    if (next.isEmpty()) {
      return;
    }
    LockCommand.Batch batch = next.get();
    BatchReply reply = LockCodec.decodeReply(replica.submit(bytes(batch)));
    exclusively(
        () -> {
          if (session.filter(now -> now == of).isPresent()) {
            received(of, batch, reply);
          }
          return reply;
        });
  }

  private static ByteBuffer bytes(LockCommand command) {
    return LockCodec.encode(command);
  }

  private void received(MountSession of, LockCommand.Batch batch, BatchReply reply) {
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

  /** Ends sessions that this mount has given up. If that fails, other mounts end them later. */
  private void end(StateMachineReplica<LockMachine> replica) {
    List<LockCommand> ends =
        exclusively(
            () -> {
              List<LockCommand> all = List.copyOf(abandoned);
              abandoned.clear();
              return all;
            });
    for (LockCommand end : ends) {
      byte[] unused = replica.submit(bytes(end));
    }
  }

  /** Proposes the end of silent sessions, after this replica has applied what the log has. */
  private void propose(StateMachineReplica<LockMachine> replica) {
    exclusively(() -> isSilenceDue = false);
    replica.sync();
    for (LockCommand.Expire proposal : exclusively(() -> watch.overdue(world.nanoTime()))) {
      LOG.info("session {} of locks is silent", Long.toHexString(proposal.session()));
      byte[] unused = replica.submit(bytes(proposal));
    }
  }

  /** Ends a session without locks and requests. */
  private void leaveSession() {
    exclusively(
        () -> {
          session
              .filter(MountSession::isIdle)
              .ifPresent(
                  now -> {
                    deliver(now.end(Errno.EIO));
                    abandoned.add(new LockCommand.End(now.id()));
                    session = Optional.empty();
                  });
          return session;
        });
  }

  private void detach(Attachment at, boolean hasFailed) {
    boolean isLast =
        exclusively(
            () -> {
              if (!hasFailed && (session.isPresent() || readers > 0)) {
                return false; // a request came meanwhile
              }
              attachment = Optional.empty();
              return true;
            });
    if (isLast) {
      at.replica().close();
      if (exclusively(() -> isClosed && attachment.isEmpty())) {
        closed.complete(null);
      }
    }
  }

  /**
   * Gives all locks back, and ends all requests with EIO. Waits for the log within a few operation
   * timeouts; without the log, other mounts end the session later.
   */
  @Override
  public void close() {
    boolean hasReplica =
        exclusively(
            () -> {
              isClosed = true;
              session.ifPresent(
                  now -> {
                    session = Optional.empty();
                    abandoned.add(new LockCommand.End(now.id()));
                    deliver(now.end(Errno.EIO));
                  });
              send();
              return attachment.isPresent() || isSending;
            });
    if (hasReplica) {
      closed.join();
    }
  }
}
