package corfu.cli.log;

import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Rings when there is something new in any of the streams that it is subscribed to. What it is, and
 * in which order, tells who looks then: subscriptions of several streams do not know of each other.
 * Thread-safe.
 */
public final class Doorbell implements Subscriber {

  private final Semaphore rings = new Semaphore(0);

  @Override
  public void onEntry(StreamRead.Entry entry) {
    ring();
  }

  @Override
  public void onTrimmed(StreamAddress before) {
    ring();
  }

  /** Who looks then meets the same failure, and says so. */
  @Override
  public void onError(RuntimeException failure) {
    ring();
  }

  private void ring() {
    rings.release();
  }

  /** Waits until it rings, if it has not since the last time, but no longer than this. */
  public void await(Duration longest) throws InterruptedException {
    if (rings.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      int unused = rings.drainPermits(); // one look is enough
    }
  }
}
