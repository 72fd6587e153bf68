package corfu.bench.service;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of {@link ServicesBenchmark}.
 *
 * @param mode the mode of the log units
 * @param copies the copies of each entry, on as many nodes
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 * @param valueBytes the size of a value of the store, in bytes
 * @param keys the numbers of keys that change, or are read, together; one run for each number
 * @param machines the numbers of replicas of the state machine; one run for each number
 * @param entries the number of entries for the mirror
 * @param plot the SVG file of the picture; several parts overwrite each other
 */
public record ServicesSettings(
    Set<Part> parts,
    UnitMode mode,
    int copies,
    int rounds,
    Duration round,
    int valueBytes,
    List<Integer> keys,
    List<Integer> machines,
    int entries,
    Optional<Path> plot) {

  /** The parts that can run alone. */
  public enum Part {
    PUTS,
    GETS,
    SMR,
    MIRROR
  }

  public ServicesSettings {
    parts = Set.copyOf(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts);
    keys = keys.stream().sorted().distinct().toList();
    machines = machines.stream().sorted().distinct().toList();
    if (copies < 1 || rounds < 1 || valueBytes < 1 || entries < 1) {
      throw new IllegalArgumentException("copies, rounds, value bytes and entries are 1 or more");
    }
    if (keys.isEmpty() || keys.getFirst() < 1 || keys.getLast() > StoreBenchmark.KEYS) {
      throw new IllegalArgumentException(
          "keys are 1 to %,d, and there is a number of them".formatted(StoreBenchmark.KEYS));
    }
    if (machines.isEmpty() || machines.getFirst() < 1) {
      throw new IllegalArgumentException("replicas are 1 or more, and there is a number of them");
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
    if (plot.isPresent() && parts.size() != 1) {
      throw new IllegalArgumentException("a picture is of one part: name it with --part");
    }
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}
