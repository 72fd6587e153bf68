package corfu.world;

import java.security.SecureRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The machine's own clock, random numbers and threads. One instance for each process is enough. It
 * holds one timer thread, and threads for fast work only while there is such work.
 */
public final class RealWorld implements World, AutoCloseable {

  private static final int IDLE_WORKER_SECONDS = 5;

  private final ScheduledThreadPoolExecutor timers;
  private final ThreadPoolExecutor workers;
  private final RandomGenerator random = new ThreadRandom();
  private final SecureRandom secrets = new SecureRandom();

  public RealWorld() {
    timers =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("corfu-timers").daemon().factory());
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    workers =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_WORKER_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().name("corfu-worker-", 0).daemon().factory());
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long wallTimeMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    var scheduled = timers.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public RandomGenerator secrets() {
    return secrets;
  }

  @Override
  public Thread start(String name, Runnable body) {
    return Thread.ofVirtual().name(name).start(body);
  }

  @Override
  public void work(String name, Runnable body) {
    try {
      workers.execute(body);
    } catch (RejectedExecutionException closed) {
      var unused = start(name, body); // after close(), in-flight work still ends in good order
    }
  }

  @Override
  public Loop loop(String name) {
    return new RealLoop(name);
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // a thread that loses its turn is woken later anyway
  public void giveWay() {
    Thread.yield();
  }

  /** Drops all timers that have not fired. */
  @Override
  public void close() {
    timers.shutdownNow();
    workers.shutdown();
  }

  /**
   * Needs no seed: {@link ThreadLocalRandom} mixes numbers per thread, and the salt comes from the
   * system's entropy.
   */
  private static final class ThreadRandom implements RandomGenerator {
    private final SecureRandom entropy = new SecureRandom();
    private final long salt = entropy.nextLong();

    @Override
    public long nextLong() {
      return ThreadLocalRandom.current().nextLong() ^ salt;
    }
  }
}
