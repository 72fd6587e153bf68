package corfu.transport.internal;

import java.util.concurrent.TimeUnit;

/**
 * A process that stood still, because its machine, its collector or somebody with a signal made it,
 * comes back to deadlines that are over, and to replies that it had no chance to read. Who finds
 * himself awake much later than he wanted gives what he waits for a moment more: the silence was
 * his own, not the server's. Otherwise each such pause would make outcomes unknown, and tokens
 * lost.
 */
public final class Standstill {

  /** What is no longer than this may be a busy machine's usual way to run timers. */
  private static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** For what came meanwhile to be read, and for servers that stood still, too, to answer. */
  public static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private Standstill() {}

  /**
   * Whether somebody who waited until {@code wantedNanos} was kept from going on.
   *
   * @param nowNanos by the same clock
   */
  public static boolean isOver(long wantedNanos, long nowNanos) {
    return nowNanos - wantedNanos > USUAL_NANOS;
  }
}
