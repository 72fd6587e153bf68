package corfu.bench.harness;

import org.HdrHistogram.Recorder;

/** An operation that can be repeated and counted. */
public interface Workload extends AutoCloseable {

  /**
   * Repeats the operation for about this long, and waits for the operations in flight.
   *
   * @param latencies records the nanoseconds of each round trip; thread-safe
   * @return the number of completed operations
   */
  long run(long nanos, Recorder latencies) throws Exception;

  /** Prepares the next run. Not measured. */
  default void rest() {}

  /** Releases its resources. */
  @Override
  default void close() {}
}
