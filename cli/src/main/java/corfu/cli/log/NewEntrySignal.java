package corfu.cli.log;

import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Signals that any of its streams has something new. The reader that it wakes finds out what is
 * new, and in which order: subscriptions of several streams do not know of each other. Thread-safe.
 */
public final class NewEntrySignal implements Subscriber {

  private final Semaphore signals = new Semaphore(0);

  @Override
  public void onEntry(StreamRead.Entry entry) {
    signal();
  }

  @Override
  public void onTrimmed(StreamAddress before) {
    signal();
  }

  /** Who looks then meets the same failure, and says so. */
  @Override
  public void onError(RuntimeException failure) {
    signal();
  }

  private void signal() {
    signals.release();
  }

  /** Returns at the first signal since the last call, or after the longest time. */
  public void await(Duration longest) throws InterruptedException {
    if (signals.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      int unused = signals.drainPermits(); // one look is enough
    }
  }
}
