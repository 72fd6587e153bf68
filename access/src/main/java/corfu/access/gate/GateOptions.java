package corfu.access.gate;

import corfu.protocol.Limits;

/**
 * The bounds of a gate.
 *
 * @param limits the limits of one request
 * @param mostIdentities the number of identities whose decisions are remembered, 1 or more; the
 *     least recently used are decided anew
 * @param mostNameBytes the size of all remembered names of streams in bytes; the least recently
 *     used identities have to introduce theirs anew
 */
public record GateOptions(Limits limits, int mostIdentities, long mostNameBytes) {

  /** The largest number of addresses in one trim of a client without {@code operate}. */
  public static final int MOST_TRIMMED = 4_096;

  /**
   * The largest distance from a known address of the log to an address that a client without {@code
   * operate} writes. A new epoch begins behind the highest written address, so that a client could
   * use up all addresses of the log. More addresses than this are hardly issued while a server does
   * not hear of the tail.
   */
  public static final long MOST_AHEAD = 1L << 26;

  /** The default bounds. */
  public static final GateOptions DEFAULT = new GateOptions(Limits.DEFAULT, 1_024, 32 << 20);

  public GateOptions {
    if (mostIdentities < 1 || mostNameBytes < 0) {
      throw new IllegalArgumentException(
          "a gate remembers 1 identity or more, and no negative number of bytes");
    }
  }
}
