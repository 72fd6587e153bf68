package corfu.cli.demo;

import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Measures the pauses of clients: the longest time without an acknowledged append, and the longest
 * read of an acknowledged entry. Thread-safe.
 */
final class PauseMonitor {

  private static final Duration BETWEEN_READS = Duration.ofMillis(2);

  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch over = new CountDownLatch(1);
  private long acknowledged;
  private long lastNanos;
  private long appendPauseNanos;
  private long highest = -1;
  private long readPauseNanos;

  /** Records an acknowledged append. */
  void appended(Address address) {
    long now = System.nanoTime();
    lock.lock();
    try {
      if (acknowledged > 0) {
        appendPauseNanos = Math.max(appendPauseNanos, now - lastNanos);
      }
      acknowledged++;
      lastNanos = now;
      highest = Math.max(highest, address.value());
    } finally {
      lock.unlock();
    }
  }

  long acknowledged() {
    lock.lock();
    try {
      return acknowledged;
    } finally {
      lock.unlock();
    }
  }

  private long highest() {
    lock.lock();
    try {
      return highest;
    } finally {
      lock.unlock();
    }
  }

  /** Reads single addresses all over the log until {@link #end}. */
  void read(Corfu corfu) throws InterruptedException {
    long step = 0;
    while (!over.await(BETWEEN_READS.toNanos(), TimeUnit.NANOSECONDS)) {
      long end = highest() + 1;
      if (end > 0) {
        step += 7919; // a prime, so that it reads all parts of the log
        long begun = System.nanoTime();
        corfu.log().read(new Address(step % end));
        hasRead(System.nanoTime() - begun);
      }
    }
  }

  private void hasRead(long nanos) {
    lock.lock();
    try {
      readPauseNanos = Math.max(readPauseNanos, nanos);
    } finally {
      lock.unlock();
    }
  }

  void end() {
    over.countDown();
  }

  Duration longestAppendPause() {
    lock.lock();
    try {
      return Duration.ofNanos(appendPauseNanos);
    } finally {
      lock.unlock();
    }
  }

  Duration longestRead() {
    lock.lock();
    try {
      return Duration.ofNanos(readPauseNanos);
    } finally {
      lock.unlock();
    }
  }
}
