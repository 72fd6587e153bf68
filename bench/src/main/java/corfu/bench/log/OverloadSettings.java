package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What {@link OverloadBenchmark} shall measure.
 *
 * @param sizeBytes what an entry carries
 * @param replicas copies of each entry, on as many nodes
 * @param loads what is offered, in parts of what a flood reaches
 * @param round how long each of them is offered
 * @param warmup how long the flood runs before it counts
 * @param plot where the picture goes
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
