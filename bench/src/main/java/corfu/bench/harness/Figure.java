package corfu.bench.harness;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * A result.
 *
 * @param opsPerSecond of the median round
 * @param p50Micros half of the round trips took no longer
 * @param limits what the machine reached in the same run where ours did more; one or more
 * @param clientCpu processor time of this process in all rounds
 * @param serverCpu processor time of all servers in all rounds
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
   * A limit as it was measured.
   *
   * @param p50Micros half of its round trips took no longer
   */
  public record Reached(String name, double perSecond, double p50Micros) {}

  /** The limit that leaves the least room. */
  public Reached limit() {
    return limits.stream().min(Comparator.comparingDouble(Reached::perSecond)).orElseThrow();
  }

  /** Our part of what the machine reached. */
  public double ratioTo(Reached limit) {
    return opsPerSecond / limit.perSecond();
  }

  Figure withCpu(Duration client, Duration server) {
    return new Figure(
        scenario, opsPerSecond, p50Micros, p99Micros, p999Micros, limits, client, server);
  }
}
