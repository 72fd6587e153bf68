package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;

/**
 * The settings of {@link QuotaBenchmark}.
 *
 * @param mode the mode of the log units
 * @param sizeBytes the payload of an entry of the greedy tenant, in bytes
 * @param depth the in-flight appends of the greedy tenant
 * @param appendsPerSecond the quota of the greedy tenant
 * @param loneBytes the payload of an entry of the other tenant, in bytes
 * @param replicas the copies of each entry, on as many nodes
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 */
public record QuotaBenchmarkSettings(
    UnitMode mode,
    int sizeBytes,
    int depth,
    long appendsPerSecond,
    int loneBytes,
    int replicas,
    int rounds,
    Duration round) {

  public QuotaBenchmarkSettings {
    if (sizeBytes < 0 || loneBytes < 0 || depth < 2 || replicas < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "bytes are 0 or more, in-flight appends 2 or more, replicas and rounds 1 or more");
    }
    if (appendsPerSecond < 1 || round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException(
          "a quota is 1 append a second or more, and measuring takes more than no time");
    }
  }
}
