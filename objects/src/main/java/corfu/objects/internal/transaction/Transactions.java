package corfu.objects.internal.transaction;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ObjectException;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.view.Precondition;
import corfu.objects.type.Invoker;
import corfu.objects.type.Operation;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.TooManyStreamsException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The transactions of a client's threads; each thread has one at most. Thread-safe. */
public final class Transactions {

  private static final Duration FIRST_PAUSE = Duration.ofNanos(50_000);
  private static final int MOST_DOUBLINGS = 8;

  /**
   * The most attempts at a route. The states that decide on a route seldom change, and the second
   * attempt reads the current states.
   */
  private static final int MOST_ROUTES = 64;

  private final ObjectClient client;
  private final SpeculationPolicy speculation = new SpeculationPolicy();

  @SuppressWarnings("ThreadLocalUsage") // a thread has one for each client
  private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();

  @SuppressWarnings("ThreadLocalUsage") // the same
  private final ThreadLocal<@Nullable OptimisticRoute> currentRoute = new ThreadLocal<>();

  public Transactions(ObjectClient client) {
    this.client = client;
  }

  /** The calling thread's, or null. */
  public @Nullable Transaction current() {
    return current.get();
  }

  /** The one under way in the calling thread, or null. */
  public @Nullable OptimisticRoute currentRoute() {
    return currentRoute.get();
  }

  /** Runs the calls of a route; in a transaction of the thread they are a part of that. */
  public @Nullable Object route(Invoker.Body body) throws Throwable {
    if (current.get() != null || currentRoute.get() != null) {
      return body.run();
    }
    CallScope call = client.call();
    try {
      return routed(body, call.deadline());
    } finally {
      call.end();
    }
  }

  private @Nullable Object routed(Invoker.Body body, Deadline deadline) throws Throwable {
    for (int attempt = 1; ; attempt++) {
      currentRoute.set(new OptimisticRoute(attempt > 1));
      try {
        return body.run();
      } catch (Precondition.ChangedException changed) {
        if (attempt >= MOST_ROUTES || deadline.hasPassed()) {
          throw new TransactionAbortedException(
              new TransactionAbortedException.Conflict(
                  changed.conflict().stream(),
                  changed.conflict().stream().toString(),
                  Optional.empty(),
                  changed.conflict().address()));
        }
      } finally {
        currentRoute.remove();
      }
      pause(attempt);
    }
  }

  public void begin(TransactionOptions options) {
    Transaction outer = current.get();
    if (outer == null) {
      begin(new Transaction(client, options, false));
    } else {
      checkJoins(outer, options);
      outer.enter();
    }
  }

  private void begin(Transaction outermost) {
    if (currentRoute.get() != null) {
      throw new IllegalStateException("a transaction can't begin within a route");
    }
    current.set(outermost);
  }

  private static void checkJoins(Transaction outer, TransactionOptions inner) {
    if (outer.options().isReadOnly() && !inner.isReadOnly()) {
      throw new IllegalStateException(
          "a transaction that may write can't be part of one that is read-only");
    }
    if (inner.at().isPresent() && !inner.at().equals(outer.options().at())) {
      throw new IllegalStateException(
          "a transaction at a snapshot of its own can't be part of another one");
    }
  }

  public void end() {
    Transaction transaction = ofThisThread();
    if (transaction.leave()) {
      current.remove();
      CallScope call = client.call();
      try {
        transaction.commit();
      } finally {
        transaction.close();
        call.end();
      }
    }
  }

  public void abort() {
    Transaction transaction = ofThisThread();
    transaction.doom();
    if (transaction.leave()) {
      current.remove();
      transaction.close();
    }
  }

  public Transaction ofThisThread() {
    Transaction transaction = current.get();
    if (transaction == null) {
      throw new IllegalStateException("this thread has begun no transaction");
    }
    return transaction;
  }

  /** Runs a body in a transaction: in that of the thread, or in one of its own. */
  @Nullable Object run(TransactionOptions options, Invoker.Body body) throws Throwable {
    if (current.get() != null) {
      begin(options);
      return runBegun(body);
    }
    CallScope call = client.call();
    try {
      return runTries(options, body, call.deadline());
    } finally {
      call.end();
    }
  }

  /** Runs a body that declares no exceptions, as {@link #run} does. */
  public @Nullable Object runUnchecked(TransactionOptions options, Invoker.Body body) {
    try {
      return run(options, body);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("the body declares no such exception", checked);
    }
  }

  /** The deadline is that of all tries together. */
  private @Nullable Object runTries(
      TransactionOptions options, Invoker.Body body, Deadline deadline) throws Throwable {
    for (int attempt = 1; ; attempt++) {
      boolean isConfirmed =
          attempt < options.attempts() && TransactionSnapshot.canSpeculate(options);
      boolean maySpeculate = attempt == 1 && isConfirmed && speculation.isTrusted();
      Transaction mine = new Transaction(client, options, maySpeculate);
      begin(mine);
      try {
        @Nullable Object value = runOutermost(mine, body);
        learn(mine, true);
        return value;
      } catch (TransactionAbortedException | HistoryTrimmedException lost) {
        if (attempt >= options.attempts()
            || deadline.hasPassed()
            || isOfAnAskedMoment(lost, options)) {
          throw lost;
        }
        learn(mine, false);
      }
      if (!maySpeculate) {
        pause(attempt);
      }
    }
  }

  private void learn(Transaction from, boolean isRight) {
    if (from.snapshot().hasSpeculated()) {
      speculation.tell(isRight);
    }
  }

  /** Runs the body of a transactional method. */
  public @Nullable Object runMethod(Operation method, Invoker.Body body) throws Throwable {
    boolean readOnly = method.kind() == Operation.Kind.READ_ONLY_TRANSACTION;
    return run(readOnly ? TransactionOptions.READ_ONLY : TransactionOptions.DEFAULT, body);
  }

  /** Another client has forgotten the snapshot, which is lost for good if it was asked for. */
  private static boolean isOfAnAskedMoment(ObjectException lost, TransactionOptions options) {
    return lost instanceof HistoryTrimmedException && options.at().isPresent();
  }

  private @Nullable Object runOutermost(Transaction mine, Invoker.Body body) throws Throwable {
    try {
      return runBegun(body);
    } catch (Throwable failure) {
      if (isAboutWhatWasRead(failure)) {
        confirm(mine, failure);
      }
      throw failure;
    }
  }

  private @Nullable Object runBegun(Invoker.Body body) throws Throwable {
    boolean isDone = false;
    @Nullable Object value;
    try {
      value = body.run();
      isDone = true;
    } finally {
      if (!isDone) {
        abort();
      }
    }
    end();
    return value;
  }

  /**
   * Confirms that the cause of a failure is true: the transaction may have read states that the
   * client had known, but that were old.
   *
   * @throws TransactionAbortedException if it was not
   */
  private static void confirm(Transaction transaction, Throwable failure) {
    try {
      transaction.snapshot().confirm();
    } catch (RuntimeException notConfirmed) {
      notConfirmed.addSuppressed(failure);
      throw notConfirmed;
    }
  }

  /**
   * Returns true for the body's own failures, and for a transaction that can't be appended as it
   * is.
   */
  private static boolean isAboutWhatWasRead(Throwable failure) {
    return switch (failure) {
      case EntryTooLargeException tooMuch -> true;
      case TooManyStreamsException tooMany -> true;
      case CorfuException ofTheCluster -> false;
      case TransactionAbortedException lost -> false;
      case HistoryTrimmedException forgotten -> false;
      default -> true;
    };
  }

  /** So that those who stand in each other's way do not meet again and again. */
  private void pause(int attempt) {
    long most = FIRST_PAUSE.toNanos() << Math.min(attempt - 1, MOST_DOUBLINGS);
    client.world().pause(Duration.ofNanos(client.world().random().nextLong(most)));
  }
}
