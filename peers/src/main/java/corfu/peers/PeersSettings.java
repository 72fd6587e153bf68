package corfu.peers;

import corfu.peers.system.Arrangement;
import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What to measure, and for how long.
 *
 * @param peers names of the systems; empty: all
 * @param sizes bytes that an entry carries
 * @param depth how many appends are under way in a flood
 * @param modes which durabilities, of those that a system has; empty: all
 * @param copies how many copies, of those that a system can make; empty: all
 * @param rounds how often each takes its turn; 3 or more
 * @param slice how long a turn is
 * @param warmup how long each is loaded before, with the first size; a third of it with others
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
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }

  boolean includes(Arrangement arrangement) {
    return (modes.isEmpty() || modes.contains(arrangement.mode()))
        && (copies.isEmpty() || copies.contains(arrangement.copies()));
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
