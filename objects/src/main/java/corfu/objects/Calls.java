package corfu.objects;

import corfu.objects.record.CallId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The changes that this client has made and not heard of yet. Thread-safe. Holds one for each call
 * that is under way, and for each that nobody waits for until its view has met it.
 */
final class Calls {

  private final long client;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Waiting> waiting = new ConcurrentHashMap<>();

  /** Somebody waits for what comes of the change in this view. */
  static final class Waiting {
    private final View<?> view;
    private volatile @Nullable Outcome outcome;

    Waiting(View<?> view) {
      this.view = view;
    }

    @Nullable Outcome outcome() {
      return outcome;
    }
  }

  Calls(long client) {
    this.client = client;
  }

  CallId next() {
    return new CallId(client, numbers.incrementAndGet());
  }

  boolean isOwn(CallId call) {
    return call.client() == client;
  }

  Waiting await(CallId call, View<?> view) {
    Waiting waits = new Waiting(view);
    waiting.put(call.number(), waits);
    return waits;
  }

  void forget(CallId call) {
    waiting.remove(call.number());
  }

  /**
   * A view has carried a change out.
   *
   * @return whether somebody waited for that
   */
  boolean done(CallId call, View<?> view, Outcome outcome) {
    if (call.client() != client) {
      return false;
    }
    @Nullable Waiting waits = waiting.get(call.number());
    if (waits == null || waits.view != view) {
      return false;
    }
    waits.outcome = outcome;
    return true;
  }
}
