package corfu.fuse.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests that wait without a thread: locks that others hold. And signals that came before their
 * requests were served. Thread-safe.
 */
final class PendingReplies {

  /** A signal that comes when its request has ended just now leaves an entry behind. */
  private static final int MAX_EARLY = 1_024;

  private final Map<Long, CompletableFuture<Result<Done>>> waiting = new ConcurrentHashMap<>();
  private final Set<Long> early = new LinkedHashSet<>(); // the requests of early signals
  private volatile boolean hasEarly;

  /** Remembers a request until its future completes. A signal that came before ends it at once. */
  void add(long unique, CompletableFuture<Result<Done>> outcome) {
    boolean isInterrupted;
    synchronized (this) {
      waiting.put(unique, outcome);
      isInterrupted = early.contains(unique);
    }
    var unused = outcome.whenComplete((result, failure) -> waiting.remove(unique, outcome));
    if (isInterrupted) {
      outcome.complete(Result.failed(Errno.EINTR));
    }
  }

  /** Ends a request with EINTR, now or when it begins to wait. */
  void interrupt(long unique) {
    Optional<CompletableFuture<Result<Done>>> outcome;
    synchronized (this) {
      outcome = Optional.ofNullable(waiting.get(unique));
      if (outcome.isEmpty()) {
        if (early.size() >= MAX_EARLY) {
          early.remove(early.iterator().next());
        }
        early.add(unique);
        hasEarly = true;
      }
    }
    outcome.ifPresent(waits -> waits.complete(Result.failed(Errno.EINTR)));
  }

  /** Returns whether a signal came before its request was served. */
  boolean isInterrupted(long unique) {
    if (!hasEarly) {
      return false;
    }
    synchronized (this) {
      return early.contains(unique);
    }
  }

  /** A request was served: it has its reply, or it waits. */
  void served(long unique) {
    if (hasEarly) {
      synchronized (this) {
        early.remove(unique);
        hasEarly = !early.isEmpty();
      }
    }
  }

  /** Ends all requests, because the mount ends. */
  void interruptAll() {
    waiting.keySet().forEach(this::interrupt);
  }
}
