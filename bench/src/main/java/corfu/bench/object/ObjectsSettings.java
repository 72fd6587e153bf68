package corfu.bench.object;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The settings of {@link ObjectsBenchmark}.
 *
 * @param mode the mode of the log units
 * @param replicas the copies of each entry, on as many nodes
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 * @param threads the threads that use one client's objects
 * @param keys the number of keys of a map
 * @param valueBytes the size of a value of a map, in bytes
 * @param largeMebibytes the size of the map for opening, in MiB
 * @param updates the number of small updates to play
 */
public record ObjectsSettings(
    Set<Part> parts,
    UnitMode mode,
    int replicas,
    int rounds,
    Duration round,
    int threads,
    int keys,
    int valueBytes,
    int largeMebibytes,
    int updates) {

  /** The parts that can run alone. */
  public enum Part {
    MAP,
    TRANSACT,
    PLAY,
    OPEN,
    COMPOSED,
    INLOG
  }

  public ObjectsSettings {
    parts = Set.copyOf(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts);
    if (replicas < 1 || rounds < 1 || threads < 1 || valueBytes < 1) {
      throw new IllegalArgumentException("replicas, rounds, threads and value bytes are 1 or more");
    }
    if (keys < ObjectTransactionBenchmark.KEYS_EACH || largeMebibytes < 1 || updates < 1) {
      throw new IllegalArgumentException(
          "keys are %d or more, mebibytes and updates 1 or more"
              .formatted(ObjectTransactionBenchmark.KEYS_EACH));
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}
