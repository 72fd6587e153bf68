package corfu.peers.load;

import java.io.FileNotFoundException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import site.ycsb.DB;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * A load process that runs YCSB's own workloads on a database, as YCSB's stock client does. It
 * differs in two ways: the process stays, so that two systems can take turns, and a {@link
 * TimedDatabase} times the calls. It reads orders as {@link LoadDriver} does.
 */
public final class YcsbDriver {

  private static final int DIGITS = 3;

  private final Supplier<DB> databases;
  private final Properties own;
  private final List<TimedDatabase> open = new ArrayList<>();
  private final Map<String, Running> workloads = new HashMap<>();
  private final Recorder latencies = new Recorder(DIGITS);

  private YcsbDriver(Supplier<DB> databases, Properties own) {
    this.databases = databases;
    this.own = own;
  }

  /** A workload, and the state of each of its threads. */
  private record Running(CoreWorkload workload, List<Object> threads) {}

  /** Prepares a load before its first order. */
  @FunctionalInterface
  public interface Setup {

    /**
     * Connects to the system, and returns a way to make a database for each thread. The driver sets
     * the database's properties and initializes it.
     */
    Supplier<DB> connect() throws Exception;
  }

  /**
   * Carries out orders until the input ends, then ends the process. Libraries that are first used
   * in the setup may write to the standard output.
   *
   * @param properties the properties of the database
   */
  public static void serve(Setup setup, Properties properties) throws Exception {
    OrderLoop.serve(
        () -> {
          var driver = new YcsbDriver(setup.connect(), properties);
          return line -> driver.carryOut(YcsbOrder.parse(line));
        });
  }

  private LoadResult carryOut(YcsbOrder order) throws Exception {
    while (open.size() < order.threads()) {
      DB database = databases.get();
      database.setProperties(own);
      database.init();
      open.add(new TimedDatabase(database, latencies));
    }
    Running running = running(order);
    latencies.reset();
    AtomicInteger left = new AtomicInteger(order.records());
    boolean isLoad = order.workload().equals(YcsbOrder.LOAD);
    long begin = System.nanoTime();
    long end = begin + order.time().toNanos();
    long count = 0;
    try (var threads = Executors.newFixedThreadPool(order.threads())) {
      List<Future<Long>> done = new ArrayList<>();
      for (int i = 0; i < order.threads(); i++) {
        TimedDatabase database = open.get(i);
        Object thread = running.threads().get(i);
        CoreWorkload workload = running.workload();
        done.add(
            threads.submit(
                () ->
                    isLoad
                        ? insert(workload, database, thread, left)
                        : transact(workload, database, thread, end)));
      }
      for (Future<Long> each : done) {
        count += each.get();
      }
    }
    long nanos = System.nanoTime() - begin;
    refuseFailures();
    Histogram times = latencies.getIntervalHistogram();
    return new LoadResult(
        count, nanos, times.getValueAtPercentile(50), times.getValueAtPercentile(99));
  }

  private static long insert(
      CoreWorkload workload, DB database, Object thread, AtomicInteger left) {
    long count = 0;
    while (left.getAndDecrement() > 0) {
      boolean unused = workload.doInsert(database, thread);
      count++;
    }
    return count;
  }

  private static long transact(CoreWorkload workload, DB database, Object thread, long end) {
    long count = 0;
    do { // at least one call, even if the machine starts it late
      boolean unused = workload.doTransaction(database, thread);
      count++;
    } while (System.nanoTime() < end);
    return count;
  }

  private void refuseFailures() {
    for (TimedDatabase database : open) {
      database.refuseFailures();
    }
  }

  private Running running(YcsbOrder order) throws Exception {
    Running known = workloads.get(order.workload());
    if (known != null) {
      return known;
    }
    boolean isLoad = order.workload().equals(YcsbOrder.LOAD);
    String name = "/workloads/workload" + (isLoad ? "a" : order.workload());
    Properties properties = new Properties();
    try (InputStream file = YcsbDriver.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new FileNotFoundException(name + " is not on the class path");
      }
      properties.load(file);
    }
    properties.setProperty("recordcount", Integer.toString(order.records()));
    Measurements.setProperties(properties);
    CoreWorkload workload = new CoreWorkload();
    workload.init(properties);
    List<Object> threads = new ArrayList<>();
    for (int i = 0; i < order.threads(); i++) {
      threads.add(workload.initThread(properties, i, order.threads()));
    }
    Running made = new Running(workload, threads);
    workloads.put(order.workload(), made);
    return made;
  }
}
