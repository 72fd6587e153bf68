package corfu.fuse.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that wait without a thread: locks that others hold. Thread-safe. */
final class PendingReplies {

  private final Map<Long, CompletableFuture<Result<Done>>> waiting = new ConcurrentHashMap<>();

  /** Remembers a request until its future completes. */
  void add(long unique, CompletableFuture<Result<Done>> outcome) {
    waiting.put(unique, outcome);
    var unused = outcome.whenComplete((result, failure) -> waiting.remove(unique, outcome));
  }

  /** Ends a request with EINTR. Returns whether it waited. */
  boolean interrupt(long unique) {
    CompletableFuture<Result<Done>> outcome = waiting.get(unique);
    if (outcome == null) {
      return false;
    }
    outcome.complete(Result.failed(Errno.EINTR));
    return true;
  }

  /** Ends all requests, because the mount ends. */
  void interruptAll() {
    waiting.keySet().forEach(this::interrupt);
  }
}
