package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of {@link OverloadBenchmark}.
 *
 * @param sizeBytes the payload of an entry, in bytes
 * @param replicas the copies of each entry, on as many nodes
 * @param loads the offered loads, in parts of the rate of a flood
 * @param round the time of each load
 * @param warmup the time of the flood before it counts
 * @param plot the SVG file of the picture
 */
public record OverloadSettings(
    UnitMode mode,
    int sizeBytes,
    int replicas,
    List<Double> loads,
    Duration round,
    Duration warmup,
    Optional<Path> plot) {

  public OverloadSettings {
    loads = List.copyOf(loads);
    if (sizeBytes < 0 || replicas < 1) {
      throw new IllegalArgumentException("bytes are 0 or more, replicas 1 or more");
    }
    if (loads.isEmpty() || loads.stream().anyMatch(load -> !(load > 0))) {
      throw new IllegalArgumentException("loads are more than 0, and there is one");
    }
    if (!round.isPositive() || !warmup.isPositive()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }
}
