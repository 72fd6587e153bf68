package corfu.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * Clients on threads of their own. Each client makes one call after the other, at full speed or at
 * a steady rate. At a steady rate, the time of a call begins when the call was due. So it includes
 * the delay by the call before.
 */
public final class CallingClients implements Workload {

  private static final double NANOS_A_SECOND = 1e9;

  /**
   * With more clients, virtual threads are used: starting a thousand platform threads takes longer
   * than a round.
   */
  private static final int MOST_THREADS = 64;

  private final int clients;
  private final OptionalDouble perSecond;
  private final Call call;

  private CallingClients(int clients, OptionalDouble perSecond, Call call) {
    this.clients = clients;
    this.perSecond = perSecond;
    this.call = call;
  }

  /** A call of a client. Thread-safe. */
  @FunctionalInterface
  public interface Call {

    /**
     * Makes the call and waits for its end.
     *
     * @param client the index of the calling client, from 0
     */
    void by(int client);
  }

  /** Returns clients that make the next call as soon as the last one has ended. */
  public static CallingClients busy(int clients, Call call) {
    return new CallingClients(clients, OptionalDouble.empty(), call);
  }

  /** Returns clients that together make this many calls a second. */
  public static CallingClients steady(int clients, double perSecond, Call call) {
    return new CallingClients(clients, OptionalDouble.of(perSecond), call);
  }

  @Override
  public long run(long nanos, Recorder latencies) throws Exception {
    long begin = System.nanoTime();
    try (var threads = threads()) {
      List<Future<Long>> running = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int client = i;
        running.add(threads.submit(() -> calls(client, begin, begin + nanos, latencies)));
      }
      long count = 0;
      for (Future<Long> each : running) {
        count += each.get();
      }
      return count;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  private ExecutorService threads() {
    return clients > MOST_THREADS
        ? Executors.newVirtualThreadPerTaskExecutor()
        : Executors.newFixedThreadPool(clients);
  }

  private long calls(int client, long begin, long end, Recorder latencies) {
    return perSecond.isPresent()
        ? steadily(client, begin, end, latencies)
        : busily(client, end, latencies);
  }

  private long busily(int client, long end, Recorder latencies) {
    long count = 0;
    long now = System.nanoTime();
    while (now < end) {
      long start = now;
      call.by(client);
      now = System.nanoTime();
      latencies.recordValue(now - start);
      count++;
    }
    return count;
  }

  private long steadily(int client, long begin, long end, Recorder latencies) {
    double interval = clients / perSecond.orElseThrow() * NANOS_A_SECOND;
    long count = 0;
    double due = begin + interval * client / clients;
    while (due < end) {
      for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
        LockSupport.parkNanos((long) due - now);
      }
      if (System.nanoTime() >= end) {
        return count; // a call that has not begun in time does not count
      }
      call.by(client);
      latencies.recordValue(Math.max(0, System.nanoTime() - (long) due));
      count++;
      due += interval;
    }
    return count;
  }
}
