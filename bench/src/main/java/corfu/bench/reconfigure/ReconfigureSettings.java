package corfu.bench.reconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of {@link ReconfigureBenchmark}.
 *
 * @param rounds the number of layout renewals, without load and with it
 * @param kills the number of killed log units, and of killed servers with the sequencer
 * @param fills the number of filled holes in each mode
 * @param copies the rounds of rebuilds, and of scrubbing
 * @param round the length of a turn of appends beside a copy, beside scrubbing, and alone
 * @param copyMebibytes the size of the unthrottled copy, in MiB
 * @param plot the SVG file of the first death of a log unit
 */
public record ReconfigureSettings(
    Set<Part> parts,
    int rounds,
    int kills,
    int fills,
    int copies,
    Duration round,
    int copyMebibytes,
    Optional<Path> plot) {

  /** The parts that can run alone. */
  public enum Part {
    STAGES,
    FAILURES,
    REBUILD,
    SCRUB,
    FILL
  }

  public ReconfigureSettings {
    parts = Set.copyOf(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts);
    if (rounds < 1 || kills < 1 || fills < 1 || copies < 1 || copyMebibytes < 1) {
      throw new IllegalArgumentException(
          "rounds, kills, fills, copies and mebibytes are 1 or more");
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("a round takes more than " + round);
    }
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}
