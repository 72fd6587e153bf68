package corfu.bench.harness;

import corfu.runtime.CorfuException;
import java.util.concurrent.CountDownLatch;

/** Repeats an action on a thread of its own until it is closed, and records the times. */
public final class Repeater implements AutoCloseable {

  private final OperationTimeline timeline = new OperationTimeline();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  private Repeater() {}

  /**
   * Starts a thread that repeats the action.
   *
   * @param action an action; if it fails because of the cluster, it counts with its time
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
          // its time counts all the same
        }
        timeline.add(begin, System.nanoTime());
      }
    } finally {
      ended.countDown();
    }
  }

  /** Stops the thread and waits for the action in flight. */
  public OperationTimeline stop() throws InterruptedException {
    stopping = true;
    ended.await();
    return timeline;
  }

  /** Starts no further action. */
  @Override
  public void close() {
    stopping = true;
  }
}
