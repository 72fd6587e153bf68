package corfu.objects.internal.transaction;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides whether transactions may begin at the states that their client already has. If such a
 * state was too old, the next transactions ask where the log ends before they begin. The number of
 * these transactions becomes twice as large plus one after each such failure, and half as large
 * after each success. Thread-safe.
 */
final class SpeculationPolicy {

  private static final int MOST = 63;

  /** The number of the next transactions that ask. */
  private final AtomicInteger cautious = new AtomicInteger();

  /** The value of {@link #cautious} after the last failure, halved by each success since then. */
  private final AtomicInteger caution = new AtomicInteger();

  /** Returns whether the next transaction may begin at the states that its client has. */
  boolean isTrusted() {
    return cautious.get() <= 0 || cautious.getAndDecrement() <= 0;
  }

  /** Records whether a transaction that began at a known state was right. */
  void tell(boolean isRight) {
    if (!isRight) {
      cautious.set(caution.updateAndGet(last -> Math.min(2 * last + 1, MOST)));
    } else if (caution.get() > 0) {
      caution.updateAndGet(last -> last / 2);
    }
  }
}
