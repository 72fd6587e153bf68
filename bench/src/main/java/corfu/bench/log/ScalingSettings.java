package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What {@link ScalingBenchmark} shall measure, and reckon.
 *
 * @param sizeBytes what an entry carries
 * @param units how many servers with a log unit each, one cluster after the other, on this machine;
 *     entries have two copies, where there are two units
 * @param simulated how many, each on a machine of its own, of a cluster that is only reckoned
 * @param nicGigabits what the network cards of those machines carry in a second, either way
 * @param round how long each is measured
 * @param warmup how long each runs before
 * @param plot where the picture goes
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
