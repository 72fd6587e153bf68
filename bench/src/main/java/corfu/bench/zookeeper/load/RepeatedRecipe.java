package corfu.bench.zookeeper.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Recorder;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Repeats a {@link Recipe} with one client for each of three servers, and measures it. */
final class RepeatedRecipe {

  private static final int DIGITS = 3;
  private static final int CLIENTS = 3;
  private static final String ROOT = "/bench/recipes";

  private final Recorder latencies = new Recorder(DIGITS);
  private final Sessions sessions;
  private final byte[] data;

  RepeatedRecipe(Sessions sessions, int bytes) {
    this.sessions = sessions;
    this.data = new byte[bytes];
  }

  /** Repeats the recipe for this long, once or more. */
  LoadOutcome run(Recipe recipe, Duration time) throws Exception {
    List<ZooKeeper> clients = sessions.spread(CLIENTS);
    long begin = System.nanoTime();
    try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
      Callable<?> once = prepare(recipe, clients, threads);
      do {
        var _ = once.call();
      } while (System.nanoTime() - begin < time.toNanos());
    }
    return LoadOutcome.of(latencies.getIntervalHistogram(), System.nanoTime() - begin);
  }

  private Callable<?> prepare(Recipe recipe, List<ZooKeeper> clients, ExecutorService threads)
      throws Exception {
    return switch (recipe) {
      case BARRIER -> {
        var barriers = new DoubleBarrier(ROOT + "/barrier", CLIENTS);
        prepareAt(clients, barriers::prepare);
        yield () -> enter(barriers, clients, threads);
      }
      case LOCK -> {
        var lock = new SequentialLock(ROOT + "/lock");
        prepareAt(clients, lock::prepare);
        yield () -> lock(lock, clients, threads);
      }
      case QUEUE -> {
        var queue = new NodeQueue(ROOT + "/queue");
        prepareAt(clients, queue::prepare);
        yield () -> pass(queue, clients, threads);
      }
      case QUERY -> {
        String path = ROOT + "/query";
        Sessions.ensure(clients.getFirst(), path, data);
        yield () -> query(clients.getFirst(), path);
      }
    };
  }

  /** Prepares a recipe at one server. */
  @FunctionalInterface
  private interface Preparation {
    void at(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  /**
   * Prepares a recipe at every server: a server's reads may lag behind what another has created,
   * but not behind an attempt of its own client to create the same.
   */
  private static void prepareAt(List<ZooKeeper> clients, Preparation preparation)
      throws KeeperException, InterruptedException {
    for (ZooKeeper client : clients) {
      preparation.at(client);
    }
  }

  /** Calls all at the same time, and waits for all. */
  private static void together(ExecutorService threads, List<Callable<?>> calls) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (Callable<?> call : calls) {
      running.add(threads.submit(call));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  private List<String> enter(
      DoubleBarrier barriers, List<ZooKeeper> clients, ExecutorService threads) throws Exception {
    String barrier = barriers.open(clients.getFirst());
    List<Callable<?>> calls = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      int client = i;
      calls.add(() -> barriers.enter(clients.get(client), barrier, client));
    }
    long begin = System.nanoTime();
    together(threads, calls);
    latencies.recordValue(System.nanoTime() - begin);
    return barriers.remove(clients.getFirst(), barrier);
  }

  private int lock(SequentialLock lock, List<ZooKeeper> clients, ExecutorService threads)
      throws Exception {
    long begin = System.nanoTime();
    List<Callable<?>> calls = new ArrayList<>();
    for (ZooKeeper client : clients) {
      calls.add(
          () -> {
            String held = lock.acquire(client);
            latencies.recordValue(System.nanoTime() - begin);
            client.delete(held, -1);
            return held;
          });
    }
    together(threads, calls);
    return calls.size();
  }

  private byte[] pass(NodeQueue queue, List<ZooKeeper> clients, ExecutorService threads)
      throws Exception {
    var waiting = new CountDownLatch(1);
    Future<byte[]> taken = threads.submit(() -> queue.take(clients.get(1), waiting));
    waiting.await();
    long begin = System.nanoTime();
    var _ = queue.offer(clients.getFirst(), data);
    byte[] item = taken.get();
    latencies.recordValue(System.nanoTime() - begin);
    return item;
  }

  private byte[] query(ZooKeeper client, String path) throws Exception {
    long begin = System.nanoTime();
    byte[] read = client.getData(path, false, null);
    latencies.recordValue(System.nanoTime() - begin);
    return read;
  }
}
