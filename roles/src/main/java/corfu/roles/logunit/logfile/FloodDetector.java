package corfu.roles.logunit.logfile;

import corfu.world.World;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells whether records are written so fast that work in advance would only take the disk's time
 * from them.
 */
final class FloodDetector {

  static final long BYTES_PER_SECOND = 200L << 20;
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final World world;
  private final LongSupplier written;
  private long since;
  private long writtenBefore;
  private boolean isFlooded;

  /**
   * @param world the clock
   * @param written returns the bytes written so far
   */
  FloodDetector(World world, LongSupplier written) {
    this.world = world;
    this.written = written;
    this.since = world.nanoTime();
  }

  /** Returns whether the last window, of {@link #WINDOW_NANOS} or more, was a flood. */
  boolean isFlooded() {
    long now = world.nanoTime();
    long elapsed = now - since;
    if (elapsed >= WINDOW_NANOS) {
      long all = written.getAsLong();
      double perSecond = (all - writtenBefore) * (double) TimeUnit.SECONDS.toNanos(1) / elapsed;
      isFlooded = perSecond > BYTES_PER_SECOND;
      since = now;
      writtenBefore = all;
    }
    return isFlooded;
  }
}
