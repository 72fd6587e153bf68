package corfu.bench.object;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What {@link ObjectsBenchmark} shall measure.
 *
 * @param mode of the log units
 * @param replicas copies of each entry, on as many nodes
 * @param rounds how often those that are compared take turns
 * @param round how long a turn is
 * @param threads how many use one client's objects
 * @param keys how many a map has
 * @param valueBytes what a value of a map carries
 * @param largeMebibytes how much is in the map that is opened
 * @param updates how many small ones are played
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

  /** What can be measured by itself. */
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
