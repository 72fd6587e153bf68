package corfu.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/** A few times of the same thing. For one thread. */
public final class Samples {

  private static final double MILLI = 1e6;

  private final List<Long> nanos = new ArrayList<>();

  public void add(long tookNanos) {
    nanos.add(tookNanos);
  }

  public int count() {
    return nanos.size();
  }

  /** The time that this many percent of the times did not exceed: one that was measured. */
  public double millis(double percentile) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    int rank = (int) Math.ceil(percentile / 100 * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / MILLI;
  }

  public Finding.Times times(String part, String what) {
    return times(part, what, OptionalDouble.empty());
  }

  public Finding.Times times(String part, String what, OptionalDouble machineMillis) {
    return new Finding.Times(
        part, what, count(), millis(50), millis(99), millis(100), machineMillis);
  }
}
