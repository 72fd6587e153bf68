package corfu.peers.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * A load process that calls a replicated map from several threads. Each thread makes its next call
 * when the previous one has returned. It reads orders as {@link LoadDriver} does.
 */
public final class MapDriver {

  private static final int DIGITS = 3;

  /** The number of keys that a transaction reads, and the number that it changes. */
  private static final int KEYS_EACH = 3;

  private final PeerMap.Opener opener;
  private final Map<Integer, PeerMap> maps = new HashMap<>();

  /** One sequence per thread; a sequence continues from order to order. */
  private final List<PayloadRandom> sequences = new ArrayList<>();

  private final Recorder latencies = new Recorder(DIGITS);

  private MapDriver(PeerMap.Opener opener) {
    this.opener = opener;
  }

  /** Prepares a load before its first order. */
  @FunctionalInterface
  public interface Setup {

    /** Connects to the system, and returns a way to open a map of it. */
    PeerMap.Opener connect() throws Exception;
  }

  /**
   * Carries out orders until the input ends, then ends the process. Libraries that are first used
   * in the setup may write to the standard output.
   */
  public static void serve(Setup setup) throws Exception {
    OrderLoop.serve(
        () -> {
          var driver = new MapDriver(setup.connect());
          return line -> driver.carryOut(MapOrder.parse(line));
        });
  }

  /** The work of one thread; returns the number of its calls. */
  private interface Work {
    long run(PayloadRandom scattered) throws Exception;
  }

  private LoadResult carryOut(MapOrder order) throws Exception {
    PeerMap map = map(order.keys());
    String value = value(order.valueBytes());
    if (order.call() == MapOrder.Call.FILL) {
      var next = new AtomicInteger();
      return observe(order, scattered -> fill(map, next, order.keys(), value));
    }
    // Plays earlier changes now, so that the measured calls do not pay for them.
    String unused = map.get(key(0));
    long end = System.nanoTime() + order.time().toNanos();
    return observe(order, scattered -> repeat(map, order, value, scattered, end));
  }

  private PeerMap map(int keys) throws Exception {
    PeerMap known = maps.get(keys);
    if (known == null) {
      known = opener.open("map of %d keys".formatted(keys));
      maps.put(keys, known);
    }
    return known;
  }

  private LoadResult observe(MapOrder order, Work work) throws Exception {
    while (sequences.size() < order.threads()) {
      sequences.add(new PayloadRandom(sequences.size()));
    }
    latencies.reset();
    long begin = System.nanoTime();
    long count = 0;
    try (var threads = Executors.newFixedThreadPool(order.threads())) {
      List<Callable<Long>> calls = new ArrayList<>();
      for (int i = 0; i < order.threads(); i++) {
        PayloadRandom scattered = sequences.get(i);
        calls.add(() -> work.run(scattered));
      }
      for (Future<Long> each : threads.invokeAll(calls)) {
        count += each.get();
      }
    }
    long nanos = System.nanoTime() - begin;
    Histogram times = latencies.getIntervalHistogram();
    return new LoadResult(
        count, nanos, times.getValueAtPercentile(50), times.getValueAtPercentile(99));
  }

  private static long fill(PeerMap map, AtomicInteger next, int keys, String value)
      throws Exception {
    long count = 0;
    for (int key = next.getAndIncrement(); key < keys; key = next.getAndIncrement()) {
      map.fastPut(key(key), value);
      count++;
    }
    return count;
  }

  private long repeat(PeerMap map, MapOrder order, String value, PayloadRandom scattered, long end)
      throws Exception {
    long count = 0;
    long now = System.nanoTime();
    do { // at least one call, even if the machine starts it late
      long start = now;
      call(map, order, value, scattered);
      now = System.nanoTime();
      latencies.recordValue(now - start);
      count++;
    } while (now < end);
    return count;
  }

  private static void call(PeerMap map, MapOrder order, String value, PayloadRandom scattered)
      throws Exception {
    switch (order.call()) {
      case FILL -> throw new IllegalArgumentException("a map is filled once");
      case PUT -> map.put(anyKey(order, scattered), value);
      case FAST_PUT -> map.fastPut(anyKey(order, scattered), value);
      case GET -> {
        String unused = map.get(anyKey(order, scattered));
      }
      case TRANSACT -> map.transact(someKeys(order, scattered), someKeys(order, scattered), value);
    }
  }

  private static List<String> someKeys(MapOrder order, PayloadRandom scattered) {
    return IntStream.range(0, KEYS_EACH).mapToObj(i -> anyKey(order, scattered)).toList();
  }

  private static String anyKey(MapOrder order, PayloadRandom scattered) {
    return key(scattered.below(order.keys()));
  }

  private static String key(int index) {
    return "key-" + index;
  }

  /** Returns a text that does not compress, one byte per character. */
  private static String value(int bytes) {
    var scattered = new PayloadRandom(0);
    var value = new StringBuilder(bytes);
    for (int i = 0; i < bytes; i++) {
      value.append((char) ('!' + scattered.below('~' - '!' + 1)));
    }
    return value.toString();
  }
}
