package corfu.bench.log;

import java.time.Duration;

/**
 * The settings of {@link MemoryBenchmark}.
 *
 * @param sizeBytes the payload of an entry, in bytes
 * @param entries the number of entries of one log unit when it starts again
 * @param flood the time of appends that are trimmed behind
 */
public record MemorySettings(int sizeBytes, int entries, Duration flood) {

  public MemorySettings {
    if (sizeBytes < 0 || entries < 1) {
      throw new IllegalArgumentException("bytes are 0 or more, entries 1 or more");
    }
    if (!flood.isPositive()) {
      throw new IllegalArgumentException("a flood takes more than no time");
    }
  }
}
