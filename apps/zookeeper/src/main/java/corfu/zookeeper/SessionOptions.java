package corfu.zookeeper;

/**
 * How a translation server treats sessions.
 *
 * @param tickMillis ZooKeeper's unit of time in milliseconds, 10 or more; a server vouches for its
 *     sessions four times a tick
 * @param minTimeoutMillis the smallest session timeout; -1 means 2 ticks
 * @param maxTimeoutMillis the largest session timeout; -1 means 20 ticks
 * @param local whether sessions begin as local ones: without an entry in the log, known to their
 *     server only, until their first change
 */
public record SessionOptions(
    int tickMillis, int minTimeoutMillis, int maxTimeoutMillis, boolean local) {

  /** ZooKeeper's own defaults. */
  public static final SessionOptions DEFAULT = new SessionOptions(2000, -1, -1, false);

  public SessionOptions {
    if (tickMillis < 10) {
      throw new IllegalArgumentException(
          "a tick is %d ms; it must be 10 ms or more".formatted(tickMillis));
    }
  }
}
