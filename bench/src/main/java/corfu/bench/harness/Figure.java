package corfu.bench.harness;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * A result.
 *
 * @param opsPerSecond the operations per second of the median round
 * @param p50Micros the median latency of a round trip, in microseconds
 * @param limits the machine's limits in the same run, one or more
 * @param clientCpu the processor time of this process in all rounds
 * @param serverCpu the processor time of all servers in all rounds
 */
public record Figure(
    Scenario scenario,
    double opsPerSecond,
    double p50Micros,
    double p99Micros,
    double p999Micros,
    List<Reached> limits,
    Duration clientCpu,
    Duration serverCpu) {

  public Figure {
    limits = List.copyOf(limits);
  }

  /**
   * A measured limit.
   *
   * @param p50Micros the median latency of its round trips, in microseconds
   */
  public record Reached(String name, double perSecond, double p50Micros) {}

  /** Returns the lowest limit. */
  public Reached limit() {
    return limits.stream().min(Comparator.comparingDouble(Reached::perSecond)).orElseThrow();
  }

  /** Returns the ratio of ours to this limit. */
  public double ratioTo(Reached limit) {
    return opsPerSecond / limit.perSecond();
  }

  Figure withCpu(Duration client, Duration server) {
    return new Figure(
        scenario, opsPerSecond, p50Micros, p99Micros, p999Micros, limits, client, server);
  }
}
