package corfu.transport.tcp;

import corfu.transport.TransportException;
import corfu.world.World;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time after a failure in which no connection to a server is tried. It doubles with each
 * failure, and is partly random, so that clients do not retry at the same time. Lives on the loop.
 */
final class Backoff {

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int DOUBLINGS = 7;

  private final World world;
  private int failures;
  private long untilNanos;
  private @Nullable Supplier<TransportException> reason;

  Backoff(World world) {
    this.world = world;
  }

  /** Returns the reason of the last failure while the backoff lasts, or null afterwards. */
  @Nullable Supplier<TransportException> reason() {
    return reason != null && untilNanos - world.nanoTime() > 0 ? reason : null;
  }

  void failed(Supplier<TransportException> why) {
    long longest = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, DOUBLINGS));
    failures++;
    untilNanos = world.nanoTime() + longest / 2 + world.random().nextLong(longest / 2);
    reason = why;
  }

  void succeeded() {
    failures = 0;
    reason = null;
  }
}
