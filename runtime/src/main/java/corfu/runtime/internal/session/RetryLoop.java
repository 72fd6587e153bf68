package corfu.runtime.internal.session;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LostChainException;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.rpc.Backoff;
import corfu.runtime.internal.rpc.Retry;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.world.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Retries a client's calls: with the newest layout, after a pause, until the deadline. Thread-safe.
 */
public final class RetryLoop {

  /** One attempt at an operation, under one layout. */
  @FunctionalInterface
  public interface Attempt<T> {
    T under(Layout layout, Deadline deadline);
  }

  private final World world;
  private final Layouts layouts;
  private final Duration operationTimeout;
  private final Optional<ClientReconfigurer> reconfigurer;

  @SuppressWarnings("ThreadLocalUsage") // a thread has one for each client
  private final ThreadLocal<@Nullable Deadline> ofThread = new ThreadLocal<>();

  /**
   * @param reconfigurer the reconfigurer for calls that fail for long; empty for none
   */
  public RetryLoop(
      World world,
      Layouts layouts,
      Duration operationTimeout,
      Optional<ClientReconfigurer> reconfigurer) {
    this.world = world;
    this.layouts = layouts;
    this.operationTimeout = operationTimeout;
    this.reconfigurer = reconfigurer;
  }

  /**
   * Returns the deadline of the thread's call, or of a call that begins now if the thread is in
   * none.
   */
  public Deadline deadline() {
    @Nullable Deadline ofCall = ofThread.get();
    return ofCall == null ? Deadline.in(world, operationTimeout) : ofCall;
  }

  /** Begins a call of the thread, or a part of the call that the thread is in. */
  public CallScope call() {
    return within(deadline());
  }

  /** Begins a part of the call with this deadline. The call may have begun on another thread. */
  public CallScope within(Deadline deadline) {
    return CallScope.within(ofThread, deadline);
  }

  /** Returns the newest known layout. */
  public Layout layout() {
    return layouts.current();
  }

  /**
   * Removes the cause of a failed attempt, as far as that is possible at once. For callers that
   * retry without end.
   */
  public RetryableException mend(RetryableException retryable) {
    return layouts.mend(retryable, deadline());
  }

  /**
   * Retries until an attempt succeeds. Makes no attempt if the deadline has passed.
   *
   * @param what the operation, for the message: "read address 17"
   * @throws UnavailableException if no attempt succeeded by the deadline
   * @throws corfu.runtime.AccessDeniedException if this client lacks a permission
   * @throws corfu.runtime.QuotaExceededException if the quota has room only after the deadline
   */
  public <T> T untilDone(String what, Attempt<T> attempt) {
    return untilDone(what, deadline(), attempt);
  }

  public <T> T untilDone(String what, Deadline deadline, Attempt<T> attempt) {
    if (deadline.hasPassed()) {
      throw unavailable(what, "the deadline had passed before the first attempt");
    }
    CallRetries retries = new CallRetries(what, deadline);
    return Retry.untilDone(() -> retries.attempt(attempt), retries);
  }

  private UnavailableException unavailable(String what, String why) {
    return new UnavailableException(
        "could not " + what + " within " + operationTimeout.toMillis() + " ms: " + why);
  }

  /** The names of streams were introduced to a server after its refusal for a stream. */
  private record Introduced(Endpoint server, Optional<StreamId> stream) {}

  /** The retries of one call. For one thread. */
  private final class CallRetries implements Retry.Policy {
    private final String what;
    private final Deadline deadline;
    private final Backoff backoff;
    private final long startNanos = world.nanoTime();
    private Set<Introduced> introduced = Set.of(); // most calls need none
    private Layout layout = layouts.current(); // of the latest attempt

    CallRetries(String what, Deadline deadline) {
      this.what = what;
      this.deadline = deadline;
      this.backoff = new Backoff(world, deadline);
    }

    <T> T attempt(Attempt<T> attempt) {
      layout = layouts.current();
      try {
        return attempt.under(layout, deadline);
      } catch (LostChainException lost) {
        throw RetryableException.lost(lost);
      }
    }

    /** A retry follows a refusal once for each server and stream, if names were introduced. */
    private void afterRefusal(RetryableException refused) {
      if (introduced.isEmpty()) {
        introduced = new HashSet<>();
      }
      boolean isFirst = introduced.add(new Introduced(refused.server(), refused.forbiddenStream()));
      if (!isFirst || !layouts.introduce(refused, deadline)) {
        throw refused.refusedCall(what);
      }
    }

    private void awaitQuota(RetryableException over) {
      Duration wait = over.waitTime();
      if (deadline.remainingNanos(wait) < wait.toNanos() || deadline.hasPassed()) {
        throw over.refusedCall(what);
      }
      world.pause(wait);
      backoff.pause(); // clients of one identity shall not return at the same moment
    }

    @Override
    public void prepareNext(RetryableException failure) {
      switch (failure.kind()) {
        case FORBIDDEN -> afterRefusal(failure);
        case OVER_QUOTA -> awaitQuota(failure);
        default -> mend(failure);
      }
    }

    private void mend(RetryableException failure) {
      RetryableException remaining = layouts.mend(failure, deadline);
      if (!deadline.hasPassed()) {
        reconfigurer.ifPresent(
            resort -> layouts.adopt(resort.consider(startNanos, layouts.current(), deadline)));
        boolean isNewEpoch = layout.epoch().isBefore(layouts.current().epoch());
        if (isNewEpoch) {
          backoff.startAgain(); // the new epoch ends the reason to wait
        } else if (remaining.kind() == RetryableException.Kind.SEALED) {
          backoff.pauseForDecision();
        } else {
          backoff.pause();
        }
      }
      if (deadline.hasPassed()) {
        throw unavailable(what, remaining.getMessage());
      }
    }
  }
}
