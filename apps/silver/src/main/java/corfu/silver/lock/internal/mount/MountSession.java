package corfu.silver.lock.internal.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.internal.command.BatchReply;
import corfu.silver.lock.internal.command.LockCommand.Batch;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.command.LockOperation.Acquire;
import corfu.silver.lock.internal.command.LockOperation.Unlock;
import corfu.silver.lock.internal.command.LockOperation.Withdraw;
import corfu.silver.lock.internal.command.LockStatus;
import corfu.silver.lock.internal.machine.FileOwner;
import corfu.silver.lock.internal.machine.SessionLocks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The session of a mount: its requests, and the locks that it has in the log. One batch of
 * operations is in flight at a time. It is sent again until it has a reply, and the log applies it
 * once. The owner of the mount's lock calls it; ends of requests are returned as tasks, to run
 * without that lock.
 *
 * <p>Holders and waiting numbers follow the log's events in their order. Replies come later.
 */
public final class MountSession {

  /** An entry of the log has room for so many operations. */
  private static final int MAX_OPERATIONS = 1_024;

  /** An operation, and the request that it belongs to. */
  private record Pending(LockOperation operation, LockRequest request) {}

  /** The batch in flight, and the time at which it was sent first. */
  private record Flight(Batch batch, List<LockRequest> requests, long beganNanos) {}

  private final long id;
  private final int timeoutMillis;
  private final long timeoutNanos;
  private final Consumer<LockRequest> signal;
  private final Deque<Pending> queue = new ArrayDeque<>();
  private final Map<Long, LockRequest> waiting = new HashMap<>();
  private final Map<FileOwner, Integer> unanswered = new HashMap<>();
  private final Set<FileOwner> holders = new LinkedHashSet<>();
  private final Set<Long> waitingInLog = new HashSet<>();
  private Optional<Flight> flight = Optional.empty();
  private long sequence; // of the last batch with a reply
  private long lastNumber; // of a request
  private int requests; // without an outcome
  private long beganNanos; // the time at which the last batch with a reply was sent
  private boolean isOver;

  /**
   * Makes a session that is not in the log yet.
   *
   * @param id its id
   * @param timeout its timeout
   * @param nowNanos the time
   * @param signal receives requests that are given up
   */
  public MountSession(long id, Duration timeout, long nowNanos, Consumer<LockRequest> signal) {
    this.id = id;
    this.timeoutMillis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
    this.timeoutNanos = timeout.toNanos();
    this.beganNanos = nowNanos;
    this.signal = signal;
  }

  /** Returns the id of the session. */
  public long id() {
    return id;
  }

  /** Returns the number of requests without an outcome. */
  public int requests() {
    return requests;
  }

  /** Returns whether the session has no lock and no request. */
  public boolean isIdle() {
    return holders.isEmpty() && requests == 0 && queue.isEmpty() && flight.isEmpty();
  }

  /** Returns whether the timeout has passed since the last vouch: other mounts may end it. */
  public boolean isOverdue(long nowNanos) {
    return nowNanos - beganNanos >= timeoutNanos;
  }

  /** Returns whether a reply to the batch in flight comes after the timeout. */
  public boolean isLate(long nowNanos) {
    return flight.filter(sent -> nowNanos - sent.beganNanos() >= timeoutNanos).isPresent();
  }

  /** Returns whether an owner has locks on a file for certain. */
  public boolean holds(FileOwner owner, long nowNanos) {
    return !isOver && !isOverdue(nowNanos) && holders.contains(owner);
  }

  /** Returns whether an owner may have a lock on a file, or get one. */
  public boolean mayHold(FileOwner owner) {
    return holders.contains(owner) || unanswered.containsKey(owner);
  }

  // -------------------------------------------------------------------------------- requests

  /** Adds a request that takes a lock or gives one back. */
  public LockRequest add(FileOwner owner, FileLock lock, boolean waits) {
    long number = ++lastNumber;
    LockOperation operation =
        lock.type() == FileLock.Type.UNLOCKED
            ? new Unlock(owner.file(), owner.owner(), lock.start(), lock.end())
            : new Acquire(owner.file(), owner.owner(), lock, waits, number);
    LockRequest request = new LockRequest(owner, operation, number, signal);
    queue.add(new Pending(operation, request));
    unanswered.merge(owner, 1, Integer::sum);
    requests++;
    return request;
  }

  /** Gives a request up, if it takes a lock and has no outcome yet. */
  public List<Runnable> giveUp(LockRequest request) {
    if (isOver
        || request.isGivenUp()
        || request.isDecided()
        || !(request.operation() instanceof Acquire acquire)) {
      return List.of();
    }
    request.giveUp();
    if (queue.removeIf(pending -> pending.request().equals(request))) {
      return List.of(end(request, Result.failed(Errno.EINTR)));
    }
    if (waiting.containsKey(request.number())) {
      withdraw(acquire, request);
    }
    return List.of(); // in flight: its reply says whether there is something to withdraw
  }

  private void withdraw(Acquire acquire, LockRequest request) {
    queue.add(new Pending(new Withdraw(acquire.file(), request.number()), request));
  }

  private Runnable end(LockRequest request, Result<Done> outcome) {
    if (!request.decide()) {
      return () -> {}; // its withdrawal came after the end
    }
    requests--;
    unanswered.computeIfPresent(request.owner(), (owner, count) -> count == 1 ? null : count - 1);
    return () -> request.end(outcome);
  }

  // --------------------------------------------------------------------------------- batches

  /** Returns whether there is something to send. */
  public boolean hasWork() {
    return !isOver && (flight.isPresent() || !queue.isEmpty() || isUnopened());
  }

  private boolean isUnopened() {
    return sequence == 0;
  }

  /** Returns the batch to send: the one in flight again, or the next one, if need be empty. */
  public Batch next(long nowNanos) {
    if (flight.isEmpty()) {
      List<LockOperation> operations = new ArrayList<>();
      List<LockRequest> owners = new ArrayList<>();
      // The first batch is empty. So a copy of it that arrives late takes no lock.
      while (!isUnopened() && !queue.isEmpty() && operations.size() < MAX_OPERATIONS) {
        Pending pending = queue.remove();
        operations.add(pending.operation());
        owners.add(pending.request());
      }
      Batch batch = new Batch(id, sequence + 1, timeoutMillis, operations);
      flight = Optional.of(new Flight(batch, owners, nowNanos));
    }
    return flight.get().batch();
  }

  /**
   * Receives the outcome of each operation of the batch in flight.
   *
   * @return the ends of requests
   */
  public List<Runnable> applied(Batch batch, BatchReply.Applied reply) {
    if (isOver || flight.isEmpty() || !flight.get().batch().equals(batch)) {
      return List.of();
    }
    Flight done = flight.get();
    flight = Optional.empty();
    sequence = batch.sequence();
    beganNanos = done.beganNanos();
    List<Runnable> ends = new ArrayList<>();
    for (int i = 0; i < done.requests().size(); i++) {
      LockRequest request = done.requests().get(i);
      LockStatus status = reply.statuses().get(i);
      outcome(batch.operations().get(i), request, status)
          .map(result -> end(request, result))
          .ifPresent(ends::add);
    }
    return ends;
  }

  private Optional<Result<Done>> outcome(
      LockOperation operation, LockRequest request, LockStatus status) {
    return switch (status) {
      case DONE -> Optional.of(Result.done());
      case CONFLICT -> Optional.of(Result.failed(Errno.EAGAIN));
      case NO_ROOM -> Optional.of(Result.failed(Errno.ENOLCK));
      case DEADLOCK -> Optional.of(Result.failed(Errno.EDEADLK));
      case WAITS -> waits(operation, request);
      case WITHDRAWN -> withdrawn(request, Result.failed(Errno.EINTR));
      case GRANTED_BEFORE -> withdrawn(request, Result.done());
    };
  }

  private Optional<Result<Done>> waits(LockOperation operation, LockRequest request) {
    if (!waitingInLog.contains(request.number())) {
      return Optional.of(Result.done()); // the grant came before the reply
    }
    waiting.put(request.number(), request);
    if (request.isGivenUp() && operation instanceof Acquire acquire) {
      withdraw(acquire, request);
    }
    return Optional.empty();
  }

  private Optional<Result<Done>> withdrawn(LockRequest request, Result<Done> outcome) {
    boolean hadNoOutcome = waiting.remove(request.number(), request);
    return hadNoOutcome ? Optional.of(outcome) : Optional.empty();
  }

  // ---------------------------------------------------------------------- events of the log

  /** An owner has a lock now. */
  public void holds(FileOwner owner) {
    holders.add(owner);
  }

  /** An owner has no lock any more. */
  public void holdsNothing(FileOwner owner) {
    holders.remove(owner);
  }

  /** A request begins to wait. */
  public void waits(long request) {
    waitingInLog.add(request);
  }

  /** A request has been given up in the log. */
  public void withdrawn(long request) {
    waitingInLog.remove(request);
  }

  /** A request that waited has its lock. */
  public List<Runnable> granted(long number) {
    waitingInLog.remove(number);
    LockRequest request = waiting.remove(number);
    return request == null ? List.of() : List.of(end(request, Result.done()));
  }

  /**
   * Replaces what is known of the log, after events that were lost. Requests that wait no more have
   * their locks, unless they have been withdrawn: the reply to the withdrawal tells.
   */
  public List<Runnable> installed(SessionLocks now) {
    holders.clear();
    holders.addAll(now.holders());
    waitingInLog.clear();
    waitingInLog.addAll(now.waiting());
    List<Runnable> ends = new ArrayList<>();
    for (LockRequest request : List.copyOf(waiting.values())) {
      if (!waitingInLog.contains(request.number()) && !request.isGivenUp()) {
        ends.addAll(granted(request.number()));
      }
    }
    return ends;
  }

  /** Returns whether the log has, or had, this session. */
  public boolean isOpen() {
    return !isUnopened();
  }

  // ------------------------------------------------------------------------------------- end

  /** Returns the locks that the session has. */
  public List<LostLock> locks() {
    return holders.stream()
        .map(one -> new LostLock(one.file().file(), one.file().kind(), one.owner()))
        .toList();
  }

  /** Ends the session, and all its requests with an error. */
  public List<Runnable> end(Errno error) {
    isOver = true;
    Set<LockRequest> all = new LinkedHashSet<>(waiting.values());
    queue.forEach(pending -> all.add(pending.request()));
    flight.ifPresent(batch -> all.addAll(batch.requests()));
    waiting.clear();
    queue.clear();
    List<Runnable> ends = new ArrayList<>();
    all.forEach(request -> ends.add(end(request, Result.failed(error))));
    return ends;
  }
}
