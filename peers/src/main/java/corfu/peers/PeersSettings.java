package corfu.peers;

import corfu.peers.system.Replication;
import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of a {@link PeersBenchmark}: the measurements, and how long they take.
 *
 * @param peers the names of the systems, or empty for all
 * @param sizes the payload sizes in bytes, at least 1 each
 * @param depth the number of in-flight appends in a flood, 2 to 16,384
 * @param modes the durabilities to measure, of those that a system offers, or empty for all
 * @param copies the numbers of copies to measure, of those that a system offers, or empty for all
 * @param rounds the number of turns of each system, at least 3
 * @param slice the length of a turn
 * @param warmup how long each system is loaded before it is measured with the first size; a third
 *     of it before the other sizes
 */
public record PeersSettings(
    Set<String> peers,
    List<Integer> sizes,
    int depth,
    Set<UnitMode> modes,
    Set<Integer> copies,
    int rounds,
    Duration slice,
    Duration warmup) {

  private static final int LEAST_ROUNDS = 3;
  private static final int MOST_DEPTH = 1 << 14;

  public PeersSettings {
    peers = Set.copyOf(peers);
    sizes = List.copyOf(sizes);
    modes = Set.copyOf(modes);
    copies = Set.copyOf(copies);
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("an entry carries 1 byte or more");
    }
    if (depth < 2 || depth > MOST_DEPTH) {
      throw new IllegalArgumentException(
          "a flood is from 2 to %d appends, not %d".formatted(MOST_DEPTH, depth));
    }
    if (rounds < LEAST_ROUNDS) {
      throw new IllegalArgumentException(
          "a median needs %d rounds or more, not %d".formatted(LEAST_ROUNDS, rounds));
    }
    if (slice.toMillis() < 1 || warmup.toMillis() < 1) {
      throw new IllegalArgumentException("a measurement lasts at least 1 ms");
    }
  }

  boolean includes(Replication arrangement) {
    return (modes.isEmpty() || modes.contains(arrangement.mode()))
        && (copies.isEmpty() || copies.contains(arrangement.copies()));
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
