package corfu.runtime.rebuild;

import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** A limit on the bytes that pass per second. Thread-safe. */
final class Throttle {

  private static final double NANOS_PER_SECOND = 1e9;

  private final World world;
  private final long bytesPerSecond;
  private final ReentrantLock lock = new ReentrantLock();
  private long freeAtNanos;

  Throttle(World world, long bytesPerSecond) {
    this.world = world;
    this.bytesPerSecond = bytesPerSecond;
    this.freeAtNanos = world.nanoTime();
  }

  /** Waits until these bytes may pass. */
  void pass(long bytes) {
    if (bytesPerSecond == Long.MAX_VALUE) {
      return;
    }
    long wait;
    lock.lock();
    try {
      long now = world.nanoTime();
      wait = Math.max(0, freeAtNanos - now);
      long cost = (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
      freeAtNanos = Math.max(now, freeAtNanos) + cost;
    } finally {
      lock.unlock();
    }
    if (wait > 0) {
      world.pause(Duration.ofNanos(wait));
    }
  }
}
