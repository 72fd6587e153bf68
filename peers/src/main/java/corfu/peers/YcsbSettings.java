package corfu.peers;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What {@link YcsbBenchmark} shall measure.
 *
 * @param peers the systems to compare with; empty: all
 * @param workloads letters from a to f
 * @param modes what systems shall promise; those that a system has and that are here
 * @param records in the data base, of 1 KB each
 * @param threads that ask at the same time
 * @param rounds turns of each; the median counts
 * @param slice how long a turn is
 */
public record YcsbSettings(
    Set<String> peers,
    List<String> workloads,
    Set<UnitMode> modes,
    int records,
    int threads,
    int rounds,
    Duration slice) {

  private static final int LEAST_ROUNDS = 3;

  public YcsbSettings {
    peers = Set.copyOf(peers);
    workloads = List.copyOf(workloads);
    modes = Set.copyOf(modes);
    for (String letter : workloads) {
      if (!letter.matches("[a-f]")) {
        throw new IllegalArgumentException("workloads are a to f, not '" + letter + "'");
      }
    }
    if (workloads.isEmpty() || records < 1 || threads < 1) {
      throw new IllegalArgumentException("there are 1 or more workloads, records and threads");
    }
    if (rounds < LEAST_ROUNDS) {
      throw new IllegalArgumentException(
          "a median needs %d rounds or more, not %d".formatted(LEAST_ROUNDS, rounds));
    }
    if (slice.toMillis() < 1) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
