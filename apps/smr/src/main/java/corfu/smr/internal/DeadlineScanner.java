package corfu.smr.internal;

import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends asynchronous calls at their deadlines. One timer checks all calls from time to time, so that
 * each call needs none. Thread-safe; it holds calls in flight only.
 */
public final class DeadlineScanner {

  /** A call ends at most this part of its timeout late. */
  private static final int LOOKS_A_TIMEOUT = 20;

  private final World world;
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isTimed = new AtomicBoolean();

  /** Equal only to itself. */
  private static final class Call {
    final Deadline deadline;
    final Runnable then;

    Call(Deadline deadline, Runnable then) {
      this.deadline = deadline;
      this.then = then;
    }
  }

  public DeadlineScanner(World world) {
    this.world = world;
  }

  /** Runs a task, which must not block, if the future is not done by the deadline. */
  public void watch(CompletableFuture<?> future, Deadline deadline, Runnable then) {
    Call call = new Call(deadline, then);
    calls.add(call);
    var unused = future.whenComplete((value, failure) -> calls.remove(call));
    startTimer(deadline.timeout());
  }

  private void startTimer(Duration timeout) {
    if (isTimed.compareAndSet(false, true)) {
      var unused = world.after(timeout.toNanos() / LOOKS_A_TIMEOUT, () -> look(timeout));
    }
  }

  private void look(Duration timeout) {
    calls.stream().filter(each -> each.deadline.hasPassed()).forEach(each -> each.then.run());
    isTimed.set(false);
    if (!calls.isEmpty()) {
      startTimer(timeout);
    }
  }
}
