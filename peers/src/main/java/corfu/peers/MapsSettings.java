package corfu.peers;

import java.time.Duration;
import java.util.Set;

/**
 * What {@link MapsBenchmark} shall measure.
 *
 * @param peers the systems to compare with; empty: all
 * @param keys of the map; transactions are measured with a hundred times as many, too
 * @param valueBytes what a key holds
 * @param threads that call it at the same time
 * @param rounds turns of each; the median counts
 * @param slice how long a turn is
 * @param warmup how long each makes each call before
 */
public record MapsSettings(
    Set<String> peers,
    int keys,
    int valueBytes,
    int threads,
    int rounds,
    Duration slice,
    Duration warmup) {

  private static final int LEAST_ROUNDS = 3;
  private static final int MOST_KEYS = 1_000_000;

  public MapsSettings {
    peers = Set.copyOf(peers);
    if (keys < 1 || keys > MOST_KEYS) {
      throw new IllegalArgumentException("keys are 1 to %,d, not %,d".formatted(MOST_KEYS, keys));
    }
    if (valueBytes < 1 || threads < 1) {
      throw new IllegalArgumentException("there are 1 or more bytes in a value, and threads");
    }
    if (rounds < LEAST_ROUNDS) {
      throw new IllegalArgumentException(
          "a median needs %d rounds or more, not %d".formatted(LEAST_ROUNDS, rounds));
    }
    if (slice.toMillis() < 1 || warmup.toMillis() < 1) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
