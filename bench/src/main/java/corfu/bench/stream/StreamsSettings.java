package corfu.bench.stream;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of {@link StreamsBenchmark}.
 *
 * @param mode the mode of the log units
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 * @param streams the numbers of streams in the log for reads; one run for each number
 * @param entries the approximate number of entries in the log for reads of whole streams
 * @param holes the number of streams with each kind of hole
 * @param live the number of streams when the sequencer starts anew
 * @param failovers the number of such starts
 * @param subscriptions the number of subscriptions of a client that receives pushed entries
 * @param plot the SVG file of the death of a stream replica
 */
public record StreamsSettings(
    Set<Part> parts,
    UnitMode mode,
    int rounds,
    Duration round,
    List<Integer> streams,
    int entries,
    int holes,
    int live,
    int failovers,
    int subscriptions,
    Optional<Path> plot) {

  /** The parts that can run alone. */
  public enum Part {
    APPEND,
    READ,
    HOLE,
    FAILOVER,
    DEGRADED,
    PUSH
  }

  /** The smallest number of streams: each kind of hole needs a stream of its own. */
  private static final int FEWEST_STREAMS = StreamHoleBenchmark.KINDS;

  public StreamsSettings {
    parts = Set.copyOf(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts);
    streams = List.copyOf(streams);
    if (rounds < 1 || entries < 1 || holes < 1 || live < 1 || failovers < 1 || subscriptions < 1) {
      throw new IllegalArgumentException(
          "rounds, entries, holes, live, failovers and subscriptions are 1 or more");
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
    if (streams.isEmpty() || streams.stream().anyMatch(count -> count < FEWEST_STREAMS)) {
      throw new IllegalArgumentException("streams are " + FEWEST_STREAMS + " or more");
    }
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}
