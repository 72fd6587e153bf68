package corfu.bench.log;

import java.time.Duration;

/**
 * What {@link MemoryBenchmark} shall measure.
 *
 * @param sizeBytes what an entry carries
 * @param entries how many one log unit holds when it is started again
 * @param flood how long appends go on that are trimmed behind
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
