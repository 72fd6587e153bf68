package corfu.objects.internal.hosted;

import corfu.objects.record.CallId;
import corfu.objects.remote.ViewAnswer;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the newest changes of a hosted object, for callers that will ask for them.
 * Thread-safe.
 */
final class HostedResults {

  private static final int MOST = 1_024;
  private static final long MOST_BYTES = 1 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<CallId, ViewAnswer> kept = new LinkedHashMap<>();
  private long bytes;

  void add(CallId call, ViewAnswer answer) {
    lock.lock();
    try {
      drop(kept.remove(call));
      kept.put(call, answer);
      bytes += bytesOf(answer);
      while (kept.size() > MOST || bytes > MOST_BYTES) {
        CallId eldest = kept.firstEntry().getKey();
        drop(kept.remove(eldest));
      }
    } finally {
      lock.unlock();
    }
  }

  private void drop(@Nullable ViewAnswer answer) {
    bytes -= answer == null ? 0 : bytesOf(answer);
  }

  Optional<ViewAnswer> of(CallId call) {
    lock.lock();
    try {
      return Optional.ofNullable(kept.get(call));
    } finally {
      lock.unlock();
    }
  }

  private static long bytesOf(ViewAnswer answer) {
    return answer instanceof ViewAnswer.Returned(var value, var seen) ? value.remaining() : 0;
  }
}
