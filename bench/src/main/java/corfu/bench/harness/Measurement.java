package corfu.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** The measurements of one workload, round by round. */
public final class Measurement {

  private static final int DIGITS = 3;
  private static final double MICRO = 1e3;

  private final Recorder recorder = new Recorder(DIGITS);
  private final Histogram latencies = new Histogram(DIGITS);
  private final List<Double> rates = new ArrayList<>();

  /** Runs and measures one round of the workload. */
  public void round(Workload workload, long nanos) throws Exception {
    recorder.reset();
    long start = System.nanoTime();
    long operations = workload.run(nanos, recorder);
    long took = System.nanoTime() - start;
    rates.add(operations * 1e9 / took);
    latencies.add(recorder.getIntervalHistogram());
  }

  /**
   * Returns the operations per second of the median round, so that one disturbed round does not
   * count.
   */
  public double perSecond() {
    var sorted = rates.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Returns the operations per second of the newest round. */
  public double lastPerSecond() {
    return rates.getLast();
  }

  /** Returns this percentile of the latencies, in microseconds. */
  public double micros(double percentile) {
    return latencies.getValueAtPercentile(percentile) / MICRO;
  }

  public double millis(double percentile) {
    return micros(percentile) / MICRO;
  }

  /** Returns the latencies as a finding about the machine. */
  public PartResult.Times times(String what) {
    return times("machine", what, OptionalDouble.empty());
  }

  /** Returns the latencies beside the machine's part of them. */
  public PartResult.Times times(String part, String what, OptionalDouble machineMillis) {
    return new PartResult.Times(
        part,
        what,
        (int) Math.min(latencies.getTotalCount(), Integer.MAX_VALUE),
        micros(50) / MICRO,
        micros(99) / MICRO,
        micros(100) / MICRO,
        machineMillis);
  }
}
