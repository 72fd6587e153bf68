package corfu.transport.internal;

import java.util.concurrent.TimeUnit;

/**
 * Detects that this process stood still, because of its machine, its garbage collector or a signal.
 * After a standstill, deadlines have passed, and replies have arrived that the process could not
 * read. A thread that wakes up much later than planned therefore waits a moment longer for its
 * reply: the process was silent, not the server. Otherwise each such pause would make outcomes
 * unknown, and tokens would be lost.
 */
public final class Standstill {

  /** The longest delay that counts as normal for timers on a busy machine. */
  private static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The additional waiting time: for reading replies that have arrived, and for answers of servers
   * that stood still, too.
   */
  public static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private Standstill() {}

  /**
   * Returns whether a thread that waited until {@code wantedNanos} was delayed by a standstill.
   *
   * @param wantedNanos the planned time in nanoseconds
   * @param nowNanos the present time by the same clock, in nanoseconds
   */
  public static boolean isOver(long wantedNanos, long nowNanos) {
    return nowNanos - wantedNanos > USUAL_NANOS;
  }
}
