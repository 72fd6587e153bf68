package corfu.bench.view;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of {@link ViewsBenchmark}.
 *
 * @param mode the mode of the log units
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 * @param clients the numbers of concurrent readers, one run for each number
 * @param keys the number of keys of the data base for transactions
 * @param pages the number of objects of the long scan
 * @param buckets the numbers of buckets of the cleared map, one run for each number
 * @param plot the SVG file of the picture; several parts overwrite each other
 */
public record ViewsSettings(
    Set<Part> parts,
    UnitMode mode,
    int rounds,
    Duration round,
    List<Integer> clients,
    int keys,
    int pages,
    List<Integer> buckets,
    Optional<Path> plot) {

  /** The parts that can run alone. Each is a figure of the dissertation. */
  public enum Part {
    READERS,
    SNAPSHOTS,
    READONLY,
    SCAN,
    CLEAR
  }

  public ViewsSettings {
    parts = Set.copyOf(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts);
    clients = clients.stream().sorted().distinct().toList();
    buckets = buckets.stream().sorted().distinct().toList();
    if (rounds < 1 || pages < 1 || keys < ViewSnapshotsBenchmark.KEYS_EACH) {
      throw new IllegalArgumentException(
          "rounds and pages are 1 or more, keys %d".formatted(ViewSnapshotsBenchmark.KEYS_EACH));
    }
    if (clients.isEmpty() || clients.getFirst() < 1) {
      throw new IllegalArgumentException("clients are 1 or more, and there is a number of them");
    }
    if (buckets.isEmpty() || buckets.getFirst() < 1) {
      throw new IllegalArgumentException("buckets are 1 or more, and there is a number of them");
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
