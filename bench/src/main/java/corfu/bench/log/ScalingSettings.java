package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of {@link ScalingBenchmark}.
 *
 * @param sizeBytes the payload of an entry, in bytes
 * @param units the numbers of servers with a log unit each on this machine, one cluster after the
 *     other. With two or more units, entries have two copies.
 * @param simulated the numbers of units of simulated clusters, each unit on a machine of its own
 * @param nicGigabits the bandwidth of the simulated network cards, in Gbit/s each way
 * @param round the measured time of each number of units
 * @param warmup the time of each before that
 * @param plot the SVG file of the picture
 */
public record ScalingSettings(
    UnitMode mode,
    int sizeBytes,
    List<Integer> units,
    List<Integer> simulated,
    double nicGigabits,
    Duration round,
    Duration warmup,
    Optional<Path> plot) {

  public ScalingSettings {
    units = List.copyOf(units);
    simulated = List.copyOf(simulated);
    if (sizeBytes < 0 || !(nicGigabits > 0)) {
      throw new IllegalArgumentException("bytes are 0 or more, gigabits more than 0");
    }
    if (units.isEmpty() || units.stream().anyMatch(count -> count < 1)) {
      throw new IllegalArgumentException("units are 1 or more, and there is a number of them");
    }
    if (simulated.stream().anyMatch(count -> count < 2 || count % 2 != 0)) {
      throw new IllegalArgumentException("simulated units make chains of two: name even numbers");
    }
    if (!round.isPositive() || !warmup.isPositive()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }
}
