package corfu.bench.harness;

import org.HdrHistogram.Recorder;

/** Something that can be done over and over for a while, and counted. */
public interface Workload extends AutoCloseable {

  /**
   * Does it for about this long, and waits for what is under way then.
   *
   * @param latencies takes the nanoseconds of each round trip; may take them from any thread
   * @return how many operations were completed
   */
  long run(long nanos, Recorder latencies) throws Exception;

  /** Makes ready for the next run; not measured. */
  default void rest() {}

  /** Gives up what it holds. */
  @Override
  default void close() {}
}
