package corfu.peers.load;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A database that times the calls of another one, and remembers the first failure. YCSB's own
 * client counts failures but carries on, and a failed call is fast.
 */
final class TimedDatabase extends DB {

  private final DB database;
  private final Recorder latencies;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  TimedDatabase(DB database, Recorder latencies) {
    this.database = database;
    this.latencies = latencies;
  }

  /**
   * Fails if a call has failed since the last check.
   *
   * @throws IllegalStateException if a call has failed
   */
  void refuseFailures() {
    String first = failure.getAndSet(null);
    if (first != null) {
      throw new IllegalStateException(first);
    }
  }

  private Status timed(String what, String key, Supplier<Status> call) {
    long begin = System.nanoTime();
    Status status = call.get();
    latencies.recordValue(System.nanoTime() - begin);
    if (!status.isOk()) {
      failure.compareAndSet(null, "%s of %s ended with %s".formatted(what, key, status));
    }
    return status;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return timed("read", key, () -> database.read(table, key, fields, result));
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return timed("scan", startKey, () -> database.scan(table, startKey, count, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return timed("update", key, () -> database.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return timed("insert", key, () -> database.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return timed("delete", key, () -> database.delete(table, key));
  }
}
