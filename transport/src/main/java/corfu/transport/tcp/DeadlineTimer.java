package corfu.transport.tcp;

import corfu.transport.internal.Standstill;
import corfu.world.World;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One timer for the deadlines of all calls of a peer. It fires when the earliest deadline may have
 * come, at most once in a millisecond. Answered calls need no removal here. Lives on the loop.
 */
final class DeadlineTimer {

  private static final long FINEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final World world;
  private final EventLoop loop;
  private final LongUnaryOperator sweeper;

  private @Nullable Future<?> armed;
  private long armedFor;
  private boolean hasGivenMoment;

  /**
   * @param sweeper receives the time, ends late calls, and returns the earliest deadline of the
   *     others, or {@link Long#MAX_VALUE} if there are none
   */
  DeadlineTimer(World world, EventLoop loop, LongUnaryOperator sweeper) {
    this.world = world;
    this.loop = loop;
    this.sweeper = sweeper;
  }

  /** Watches a deadline. */
  void watch(long deadlineNanos) {
    Future<?> timer = armed;
    if (timer != null) {
      if (armedFor - deadlineNanos <= FINEST_NANOS) {
        return;
      }
      timer.cancel(false);
    }
    armedFor = deadlineNanos;
    long delay = Math.max(FINEST_NANOS, deadlineNanos - world.nanoTime());
    armed = loop.schedule(this::fire, delay, TimeUnit.NANOSECONDS);
  }

  private void fire() {
    armed = null;
    long now = world.nanoTime();
    if (!hasGivenMoment && Standstill.isOver(armedFor, now)) {
      hasGivenMoment = true; // only once: a loop that is always late must end calls, too
      watch(now + Standstill.MOMENT_NANOS); // bytes that arrived meanwhile have not been read yet
      return;
    }
    hasGivenMoment = false;
    long next = sweeper.applyAsLong(now);
    if (next != Long.MAX_VALUE) {
      watch(next);
    }
  }
}
