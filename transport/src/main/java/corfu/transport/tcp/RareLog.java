package corfu.transport.tcp;

import corfu.world.World;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * A log for warnings that a stranger can provoke: at most one line a second, with the number of
 * suppressed ones. Lives on one thread.
 */
final class RareLog {

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final Logger log;
  private long lastNanos;
  private long keptBack;

  RareLog(World world, Logger log) {
    this.world = world;
    this.log = log;
    this.lastNanos = world.nanoTime() - INTERVAL_NANOS;
  }

  void warn(String message) {
    long now = world.nanoTime();
    if (now - lastNanos < INTERVAL_NANOS) {
      keptBack++;
      return;
    }
    log.warn("{}{}", message, keptBack == 0 ? "" : " (and " + keptBack + " more before)");
    lastNanos = now;
    keptBack = 0;
  }

  void warn(String message, Throwable cause) {
    if (world.nanoTime() - lastNanos >= INTERVAL_NANOS) {
      log.warn(message, cause);
      lastNanos = world.nanoTime();
    } else {
      keptBack++;
    }
  }
}
