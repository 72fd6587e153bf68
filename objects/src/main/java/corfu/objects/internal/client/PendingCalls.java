package corfu.objects.internal.client;

import corfu.objects.internal.state.Outcome;
import corfu.objects.record.CallId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The changes that this client has made and not heard of yet. Thread-safe. Holds one for each call
 * that is under way, and for each that nobody waits for until its view has met it.
 */
public final class PendingCalls {

  private final long client;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Waiting> waiting = new ConcurrentHashMap<>();

  /** Somebody waits for what comes of the change of this object. */
  public static final class Waiting {
    private final Object object;
    private volatile @Nullable Outcome outcome;

    Waiting(Object object) {
      this.object = object;
    }

    public @Nullable Outcome outcome() {
      return outcome;
    }
  }

  PendingCalls(long client) {
    this.client = client;
  }

  public CallId next() {
    return new CallId(client, numbers.incrementAndGet());
  }

  public boolean isOwn(CallId call) {
    return call.client() == client;
  }

  /**
   * Begins to wait for the outcome of a change.
   *
   * @param object the context of the object whose view carries the change out
   */
  public Waiting await(CallId call, Object object) {
    Waiting waits = new Waiting(object);
    waiting.put(call.number(), waits);
    return waits;
  }

  public void forget(CallId call) {
    waiting.remove(call.number());
  }

  /**
   * A view has carried a change out.
   *
   * @param object the context of the view's object; compared by identity
   * @return whether somebody waited for that
   */
  public boolean done(CallId call, Object object, Outcome outcome) {
    if (call.client() != client) {
      return false;
    }
    @Nullable Waiting waits = waiting.get(call.number());
    if (waits == null || waits.object != object) {
      return false;
    }
    waits.outcome = outcome;
    return true;
  }
}
