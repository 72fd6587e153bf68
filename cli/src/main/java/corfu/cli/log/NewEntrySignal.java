package corfu.cli.log;

import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Signals that any of its streams has a new entry. The woken reader then reads the streams in the
 * order of the log: subscriptions of several streams have no common order. Thread-safe.
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

  /** Wakes the reader, which meets the same failure and reports it. */
  @Override
  public void onError(RuntimeException failure) {
    signal();
  }

  private void signal() {
    signals.release();
  }

  /** Waits for a signal since the last call, or for the longest time. */
  public void await(Duration longest) throws InterruptedException {
    if (signals.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      int unused = signals.drainPermits(); // one read covers all signals
    }
  }
}
