package corfu.peers;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of a {@link YcsbBenchmark}.
 *
 * @param peers the names of the systems to compare with, or empty for all
 * @param workloads letters from a to f, at least one
 * @param modes the durabilities to measure, of those that a system offers
 * @param records the number of records in the database, of 1 KB each; at least 1
 * @param threads the number of threads with concurrent requests, at least 1
 * @param rounds the number of turns of each system, at least 3; the median counts
 * @param slice the length of a turn
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
      throw new IllegalArgumentException("there must be 1 or more workloads, records and threads");
    }
    if (rounds < LEAST_ROUNDS) {
      throw new IllegalArgumentException(
          "a median needs %d rounds or more, not %d".formatted(LEAST_ROUNDS, rounds));
    }
    if (slice.toMillis() < 1) {
      throw new IllegalArgumentException("a measurement lasts at least 1 ms");
    }
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
