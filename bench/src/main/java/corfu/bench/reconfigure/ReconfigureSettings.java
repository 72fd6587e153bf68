package corfu.bench.reconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What {@link ReconfigureBenchmark} shall measure.
 *
 * @param rounds how many layouts are renewed, without load and with it
 * @param kills how many log units are killed, and how many servers with the sequencer
 * @param fills how many holes are filled in each mode
 * @param copies how many rounds of rebuilding, and of scrubbing
 * @param round how long appends take beside a copy, beside scrubbing, and alone, at a time
 * @param copyMebibytes what is copied where nothing holds it back
 * @param plot where the picture of the first log unit's death goes
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

  /** What can be measured by itself. */
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
