package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of {@link LatencyBenchmark}.
 *
 * @param modes the modes of the log units, one cluster after the other
 * @param sizeBytes the payload of an entry, in bytes
 * @param replicas the copies of each entry, on as many nodes
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 * @param plot the SVG file of the distributions
 */
public record LatencySettings(
    List<UnitMode> modes,
    int sizeBytes,
    int replicas,
    int rounds,
    Duration round,
    Optional<Path> plot) {

  public LatencySettings {
    modes = List.copyOf(modes);
    if (modes.isEmpty() || sizeBytes < 0 || replicas < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "modes are one or more, bytes 0 or more, replicas and rounds 1 or more");
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }
}
