package corfu.silver.lock;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.FileOwner;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.silver.lock.internal.mount.LockRequest;
import corfu.silver.lock.internal.mount.LockSessions;
import corfu.silver.lock.internal.mount.MountSession;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import corfu.smr.ReplicaClosedException;
import corfu.smr.StateMachineReplica;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
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
  private final Function<SessionEvents, StateMachineReplica<LockMachine>> opener;
  private final ReentrantLock lock = new ReentrantLock(); // acquired after the replica's lock
  private final LockSessions sessions;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private Optional<StateMachineReplica<LockMachine>> attachment = Optional.empty();
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
    this.sessions = new LockSessions(world, timeout, lost, lock, this::send);
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
   * <p>The future fails with EAGAIN if another owner has the lock and {@code waits} is false. It
   * fails with EDEADLK if owners would wait for one another, and with ENOLCK if there is no room.
   * EIO means that the session has ended meanwhile. To give a request up, complete or cancel its
   * future. Then it ends a little later: with EINTR, or with a success if the owner had the lock.
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
    sessions.endIfOverdue();
    boolean isUnlock = range.type() == FileLock.Type.UNLOCKED;
    if (isUnlock && sessions.own().filter(now -> now.mayHold(holder)).isEmpty()) {
      return CompletableFuture.completedFuture(Result.done());
    }
    if (isClosed) {
      return CompletableFuture.completedFuture(Result.failed(Errno.EIO));
    }
    MountSession present = sessions.own().orElseGet(this::begin);
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
    return sessions.begin();
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
    Optional<StateMachineReplica<LockMachine>> reading = exclusively(this::enter);
    if (reading.isEmpty()) {
      return Result.failed(Errno.EIO);
    }
    try {
      LockedFile locked = new LockedFile(file, kind);
      LockOwner asking = exclusively(() -> new LockOwner(sessions.id(), owner));
      FileLock none = new FileLock(FileLock.Type.UNLOCKED, range.start(), range.end(), 0);
      return Result.of(
          reading.get().read(machine -> machine.conflict(locked, asking, range).orElse(none)));
    } catch (CorfuException | HistoryForgottenException | ReplicaClosedException away) {
      LOG.warn("cannot read the locks of {}: {}", file, away.getMessage());
      return Result.failed(Errno.EIO);
    } finally {
      exclusively(this::leave);
    }
  }

  private Optional<StateMachineReplica<LockMachine>> enter() {
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
        () -> sessions.own().filter(now -> now.holds(holder, world.nanoTime())).isPresent());
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

  private void attach() {
    idleSinceNanos = world.nanoTime();
    if (attachment.isEmpty()) {
      StateMachineReplica<LockMachine> opened = opener.apply(sessions.attach());
      attachment = Optional.of(opened);
      scheduleBeat(opened);
    }
  }

  private void scheduleBeat(StateMachineReplica<LockMachine> of) {
    var unused = world.after(timeout.toNanos() / VOUCHES_A_TIMEOUT, () -> beat(of));
  }

  /** Ends a session that is overdue, and finds out what there is to send. Never blocks. */
  private void beat(StateMachineReplica<LockMachine> of) {
    exclusively(
        () -> {
          if (attachment.filter(present -> present == of).isPresent()) {
            sessions.endIfOverdue();
            isVouchDue = sessions.own().isPresent();
            isSilenceDue = !sessions.overdue().isEmpty();
            if (readers > 0 || !sessions.own().map(MountSession::isIdle).orElse(true)) {
              idleSinceNanos = world.nanoTime();
            }
            send();
            scheduleBeat(of);
          }
          return of;
        });
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
    if (sessions.hasAbandoned()) {
      return new Step.End(); // first, because its locks may be in the way of the next session
    }
    Optional<MountSession> own = sessions.own();
    if (own.isPresent() && (own.get().hasWork() || isVouchDue)) {
      return new Step.Send(own.get());
    }
    if (isSilenceDue) {
      return new Step.Propose();
    }
    long idleNanos = world.nanoTime() - idleSinceNanos;
    boolean isIdle = isClosed || idleNanos >= IDLE_TIMEOUTS * timeout.toNanos();
    if (readers == 0 && isIdle && own.map(MountSession::isIdle).orElse(true)) {
      return own.isPresent() ? new Step.Leave() : new Step.Detach();
    }
    return new Step.Rest();
  }

  /** Returns the sender's next step. With the step of rest the sender ends. */
  private Step takeStep() {
    Step step = nextStep();
    isSending = !(step instanceof Step.Rest);
    return step;
  }

  private void sendAll() {
    Duration pause = FIRST_PAUSE;
    while (true) {
      Step step = exclusively(this::takeStep);
      Optional<StateMachineReplica<LockMachine>> at = exclusively(() -> attachment);
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
  private boolean carryOut(Step step, StateMachineReplica<LockMachine> at) {
    try {
      switch (step) {
        case Step.Rest() -> {}
        case Step.Send(MountSession of) -> sendBatch(of, at);
        case Step.End() -> end(at);
        case Step.Propose() -> propose(at);
        case Step.Leave() -> leaveSession();
        case Step.Detach() -> detach(at, false);
      }
      return true;
    } catch (CorfuException | CommandOutcomeUnknownException | HistoryForgottenException away) {
      LOG.debug("the log of locks is out of reach", away);
      exclusively(this::afterOutage);
      return false;
    } catch (RuntimeException failure) {
      LOG.error("the replica of locks has failed; the mount loses its locks", failure);
      exclusively(
          () -> {
            sessions.replicaFailed();
            return at;
          });
      detach(at, true);
      return false;
    }
  }

  /** A mount that closes tries once; then other mounts end its session. */
  private boolean afterOutage() {
    if (isClosed) {
      sessions.forgetAbandoned();
    }
    return isClosed;
  }

  private void sendBatch(MountSession of, StateMachineReplica<LockMachine> replica) {
    Optional<LockCommand.Batch> next =
        exclusively(
            () -> {
              isVouchDue = false;
              return sessions.nextBatch(of);
            });
    if (next.isPresent()) {
      byte[] reply = replica.submit(bytes(next.get()));
      exclusively(
          () -> {
            sessions.received(of, next.get(), LockCodec.decodeReply(reply));
            return reply;
          });
    }
  }

  private static ByteBuffer bytes(LockCommand command) {
    return LockCodec.encode(command);
  }

  /** Ends sessions that this mount has given up. */
  private void end(StateMachineReplica<LockMachine> replica) {
    for (LockCommand end : exclusively(sessions::abandoned)) {
      byte[] reply = replica.submit(bytes(end));
      exclusively(
          () -> {
            sessions.forget(end);
            return reply;
          });
    }
  }

  /** Proposes the end of silent sessions, after this replica has applied what the log has. */
  private void propose(StateMachineReplica<LockMachine> replica) {
    exclusively(() -> isSilenceDue = false);
    replica.sync();
    for (LockCommand.Expire proposal : exclusively(sessions::overdue)) {
      LOG.info("session {} of locks is silent", Long.toHexString(proposal.session()));
      byte[] unused = replica.submit(bytes(proposal));
    }
  }

  /** Ends a session without locks and requests. */
  private void leaveSession() {
    exclusively(
        () -> {
          if (sessions.own().filter(MountSession::isIdle).isPresent()) {
            sessions.leave();
          }
          return attachment;
        });
  }

  private void detach(StateMachineReplica<LockMachine> at, boolean hasFailed) {
    boolean isLast =
        exclusively(
            () -> {
              if (!hasFailed && (sessions.own().isPresent() || readers > 0)) {
                return false; // a request came meanwhile
              }
              attachment = Optional.empty();
              sessions.detach();
              return true;
            });
    if (isLast) {
      at.close();
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
              sessions.leave();
              send();
              return attachment.isPresent() || isSending;
            });
    if (hasReplica) {
      closed.join();
    }
  }
}
