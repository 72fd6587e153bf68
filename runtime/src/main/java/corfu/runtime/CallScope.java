package corfu.runtime;

import org.jspecify.annotations.Nullable;

/**
 * One call of a user on a client, from its beginning to its end on the calling thread. Until the
 * call ends, every request of this thread through the same client has the call's one {@link
 * Deadline}. A call that begins within another call is a part of that call, and has its deadline.
 *
 * <p>The deadline is bound to the thread because user code runs in the middle of calls: bodies of
 * transactions, operations of objects, upcalls. Another thread that works for a call receives the
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

  /** Begins a part of a call whose deadline is known. The call may have begun on another thread. */
  public static CallScope within(ThreadLocal<@Nullable Deadline> ofThread, Deadline deadline) {
    return new CallScope(ofThread, deadline);
  }

  public Deadline deadline() {
    return deadline;
  }

  /** Ends the call, or this part of it. To be called once, also after a failure. */
  public void end() {
    if (outer == null) {
      ofThread.remove();
    } else if (outer != deadline) {
      ofThread.set(outer);
    }
  }
}
