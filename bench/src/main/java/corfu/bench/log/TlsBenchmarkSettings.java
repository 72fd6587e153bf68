package corfu.bench.log;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of {@link TlsBenchmark}.
 *
 * @param parts the parts to measure
 * @param mode the mode of the log units
 * @param sizeBytes the payload of an entry of the flood, in bytes
 * @param depth the in-flight appends of the flood
 * @param loneBytes the payload of a lone append, in bytes
 * @param replicas the copies of each entry, on as many nodes
 * @param handshakesPerSecond the rate of a flood of failing handshakes
 * @param rounds the number of turns of each workload
 * @param round the length of a turn
 */
public record TlsBenchmarkSettings(
    Set<Part> parts,
    UnitMode mode,
    int sizeBytes,
    int depth,
    int loneBytes,
    int replicas,
    int handshakesPerSecond,
    int rounds,
    Duration round) {

  /** A part of the benchmark. */
  public enum Part {
    /** A flood of appends, and lone appends, with and without TLS. */
    APPENDS,
    /** The same appends, with TLS, by a client whose permissions are checked. */
    PERMISSIONS,
    /** Lone appends during a flood of failing handshakes. */
    HANDSHAKES
  }

  public TlsBenchmarkSettings {
    parts = Set.copyOf(parts);
    if (sizeBytes < 0 || loneBytes < 0 || depth < 2 || replicas < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "bytes are 0 or more, in-flight appends 2 or more, replicas and rounds 1 or more");
    }
    if (round.isNegative() || round.isZero()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }
}
