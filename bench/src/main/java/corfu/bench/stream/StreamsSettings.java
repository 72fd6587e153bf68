package corfu.bench.stream;

import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What {@link StreamsBenchmark} shall measure.
 *
 * @param mode of the log units
 * @param rounds how often those that are compared take turns
 * @param round how long a turn is
 * @param streams how many streams are in the log when streams are read; one run for each number
 * @param entries how many entries are in the log when whole streams are read, about
 * @param holes how many streams with each kind of hole are read
 * @param live how many streams there are when the sequencer is started anew
 * @param failovers how often it is
 * @param subscriptions how many a client has beside which entries are pushed
 * @param plot where the picture of a stream replica's death goes
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

  /** What can be measured by itself. */
  public enum Part {
    APPEND,
    READ,
    HOLE,
    FAILOVER,
    DEGRADED,
    PUSH
  }

  /** As many that each kind of hole is in a stream of its own. */
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
