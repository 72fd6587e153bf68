package corfu.bench.zookeeper;

import corfu.bench.harness.PartResult.Value;
import corfu.bench.zookeeper.load.LoadOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The medians of all rounds of one system.
 *
 * @param perSecond the operations per second
 * @param p50Millis the median latency of a round, in milliseconds
 */
record RoundMedians(double perSecond, double p50Millis, double p99Millis) {

  private static final double MILLI = 1e6;

  /** Returns the medians of one outcome or more. */
  static RoundMedians of(List<LoadOutcome> rounds) {
    return new RoundMedians(
        median(rounds, LoadOutcome::perSecond),
        median(rounds, round -> round.p50Nanos() / MILLI),
        median(rounds, round -> round.p99Nanos() / MILLI));
  }

  private static double median(List<LoadOutcome> rounds, ToDoubleFunction<LoadOutcome> quantity) {
    double[] sorted = rounds.stream().mapToDouble(quantity).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * Returns a quantity of each system as a named value, and the ratio of ours to the other if both
   * were measured.
   *
   * @param suffix the end of the names, such as "PerSecond"
   * @param ratio the name of the ratio
   */
  static List<Value> beside(
      Map<String, RoundMedians> seen,
      String suffix,
      String ratio,
      ToDoubleFunction<RoundMedians> quantity) {
    List<Value> values = new ArrayList<>();
    seen.forEach(
        (name, medians) -> values.add(new Value(name + suffix, quantity.applyAsDouble(medians))));
    if (values.size() == 2) {
      values.add(new Value(ratio, values.getFirst().value() / values.get(1).value()));
    }
    return values;
  }
}
