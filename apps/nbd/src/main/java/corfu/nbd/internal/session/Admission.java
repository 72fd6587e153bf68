package corfu.nbd.internal.session;

import corfu.nbd.internal.session.MemoryBudget.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a connection may have in flight, and the memory that they hold of the server's
 * budget. While a request is not admitted, nothing is read from its client.
 */
final class Admission {

  private final SessionBounds bounds;
  private final MemoryBudget budget;
  private final DeviceCalls calls;
  private final Runnable proceed;
  private int requests;
  private long bytes;
  private @Nullable Reservation waiting;
  private long waitingBytes;
  private boolean isGranted;
  private boolean isEnded;

  /**
   * Creates the admission of a connection.
   *
   * @param proceed called on the connection's thread when a request may be admitted now
   */
  Admission(SessionBounds bounds, MemoryBudget budget, DeviceCalls calls, Runnable proceed) {
    this.bounds = bounds;
    this.budget = budget;
    this.calls = calls;
    this.proceed = proceed;
  }

  /** Returns the number of requests in flight. */
  int requests() {
    return requests;
  }

  /** Returns whether a request is admitted now. If not, it is to be tried again later. */
  boolean admit(long need) {
    if (waiting == null) {
      boolean isFull =
          requests >= bounds.maxRequests() || (bytes > 0 && bytes + need > bounds.maxBytes());
      if (isFull) {
        return false;
      }
      if (need > 0 && !budget.tryReserve(need)) {
        waitingBytes = need;
        waiting = budget.reserve(need, () -> calls.run(this::granted));
      }
    }
    if (waiting != null && !isGranted) {
      return false;
    }
    waiting = null;
    isGranted = false;
    requests++;
    bytes += need;
    return true;
  }

  private void granted() {
    if (isEnded) {
      budget.release(waitingBytes);
    } else {
      isGranted = true;
      proceed.run();
    }
  }

  /** Gives back what requests have held. */
  void release(int doneRequests, long doneBytes) {
    requests -= doneRequests;
    bytes -= doneBytes;
    if (doneBytes > 0) {
      budget.release(doneBytes);
    }
  }

  /** Admits nothing any more. */
  void end() {
    isEnded = true;
    if (waiting == null) {
      return;
    }
    if (isGranted) {
      budget.release(waitingBytes);
    } else {
      budget.cancel(waiting); // or granted() gives the bytes back
    }
    waiting = null;
  }
}
