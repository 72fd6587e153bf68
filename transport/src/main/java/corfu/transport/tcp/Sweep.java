package corfu.transport.tcp;

import corfu.transport.internal.Standstill;
import corfu.world.World;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One timer for the deadlines of all of a peer's calls: it fires when the earliest may have come,
 * no sooner than a millisecond after the last time. Calls that are answered leave no trace here.
 * Lives on the loop.
 */
final class Sweep {

  private static final long FINEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final World world;
  private final EventLoop loop;
  private final LongUnaryOperator sweeper;

  private @Nullable Future<?> armed;
  private long armedFor;
  private boolean hasGivenMoment;

  /**
   * @param sweeper given the time, ends what is late, and returns the earliest deadline of what is
   *     left; {@link Long#MAX_VALUE} if nothing is
   */
  Sweep(World world, EventLoop loop, LongUnaryOperator sweeper) {
    this.world = world;
    this.loop = loop;
    this.sweeper = sweeper;
  }

  /** Something has this deadline. */
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
      hasGivenMoment = true; // once: a loop that is always late must end calls, too
      watch(now + Standstill.MOMENT_NANOS); // what came meanwhile has not been read yet
      return;
    }
    hasGivenMoment = false;
    long next = sweeper.applyAsLong(now);
    if (next != Long.MAX_VALUE) {
      watch(next);
    }
  }
}
