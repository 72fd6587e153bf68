package corfu.objects.internal.transaction;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether transactions may begin at what their client knows already. Where that was too old, the
 * next ones ask where the log ends before they begin: twice as many, and one, each time; half as
 * many each time when it was right. Thread-safe.
 */
final class SpeculationPolicy {

  private static final int MOST = 63;

  private final AtomicInteger cautious = new AtomicInteger(); // so many of the next ones ask
  private final AtomicInteger caution = new AtomicInteger(); // so many did after the last failure

  /** Whether the next one may. */
  boolean isTrusted() {
    return cautious.get() <= 0 || cautious.getAndDecrement() <= 0;
  }

  /** What became of one that began at what was known. */
  void tell(boolean isRight) {
    if (!isRight) {
      cautious.set(caution.updateAndGet(last -> Math.min(2 * last + 1, MOST)));
    } else if (caution.get() > 0) {
      caution.updateAndGet(last -> last / 2);
    }
  }
}
