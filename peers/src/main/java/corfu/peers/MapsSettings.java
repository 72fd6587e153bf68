package corfu.peers;

import java.time.Duration;
import java.util.Set;

/**
 * The settings of a {@link MapsBenchmark}.
 *
 * @param peers the names of the systems to compare with, or empty for all
 * @param keys the number of keys in the map, 1 to 1,000,000; transactions are also measured with a
 *     hundred times as many
 * @param valueBytes the size of a value in bytes, at least 1
 * @param threads the number of threads that call the map concurrently, at least 1
 * @param rounds the number of turns of each system, at least 3; the median counts
 * @param slice the length of a turn
 * @param warmup how long each system makes each call before it is measured
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
      throw new IllegalArgumentException(
          "a value has 1 byte or more, and there is 1 thread or more");
    }
    if (rounds < LEAST_ROUNDS) {
      throw new IllegalArgumentException(
          "a median needs %d rounds or more, not %d".formatted(LEAST_ROUNDS, rounds));
    }
    if (slice.toMillis() < 1 || warmup.toMillis() < 1) {
      throw new IllegalArgumentException("a measurement lasts at least 1 ms");
    }
  }

  boolean includes(String peer) {
    return peers.isEmpty() || peers.contains(peer);
  }
}
