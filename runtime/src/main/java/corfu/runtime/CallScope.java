package corfu.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A call that a user makes on a client, from its beginning to its end on the calling thread. Until
 * it has ended, everything that this thread asks of the cluster through the same client has the
 * call's one {@link Deadline}. A call that begins within another one is a part of that, and has its
 * deadline.
 *
 * <p>The deadline is bound to the thread because code of users runs in the middle of calls: bodies
 * of transactions, operations of objects, upcalls. What another thread does for a call is given the
 * deadline explicitly. For one thread.
 */
public final class CallScope {

  private final ThreadLocal<@Nullable Deadline> ofThread;
  private final Deadline deadline;
  private final @Nullable Deadline outer;

  private CallScope(ThreadLocal<@Nullable Deadline> ofThread, Deadline deadline) {
    this.ofThread = ofThread;
    this.deadline = deadline;
    this.outer = ofThread.get();
    if (outer != deadline) {
      ofThread.set(deadline);
    }
  }

  /** Begins a part of a call whose deadline is known; it may have begun on another thread. */
  public static CallScope within(ThreadLocal<@Nullable Deadline> ofThread, Deadline deadline) {
    return new CallScope(ofThread, deadline);
  }

  public Deadline deadline() {
    return deadline;
  }

  /** The call, or this part of it, is over; to be called once, whatever became of it. */
  public void end() {
    if (outer == null) {
      ofThread.remove();
    } else if (outer != deadline) {
      ofThread.set(outer);
    }
  }
}
