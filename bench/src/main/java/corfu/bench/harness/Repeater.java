package corfu.bench.harness;

import corfu.runtime.CorfuException;
import java.util.concurrent.CountDownLatch;

/** Does one thing over and over on a thread of its own until it is closed, and takes the times. */
public final class Repeater implements AutoCloseable {

  private final OperationTimeline timeline = new OperationTimeline();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  private Repeater() {}

  /**
   * Starts a thread that repeats the action.
   *
   * @param action one that fails because the cluster does counts as one that lasted as long
   */
  public static Repeater start(String name, Runnable action) {
    var repeater = new Repeater();
    Thread.ofPlatform().daemon().name(name).start(() -> repeater.run(action));
    return repeater;
  }

  private void run(Runnable action) {
    try {
      while (!stopping) {
        long begin = System.nanoTime();
        try {
          action.run();
        } catch (CorfuException gaveUp) {
          // the time is what counts
        }
        timeline.add(begin, System.nanoTime());
      }
    } finally {
      ended.countDown();
    }
  }

  /** Ends it, and waits for what is under way. */
  public OperationTimeline stop() throws InterruptedException {
    stopping = true;
    ended.await();
    return timeline;
  }

  /** Begins nothing more. */
  @Override
  public void close() {
    stopping = true;
  }
}
