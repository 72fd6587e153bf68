package corfu.nbd.internal.session;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Log lines that clients cause. After a few lines in one second, further ones are only counted, so
 * that no client fills a disk. Thread-safe.
 */
public final class SessionLog {

  private static final int LINES_A_SECOND = 10;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Logger log;
  private final LongSupplier nanoTime;
  private long secondFrom;
  private int lines;
  private long dropped;

  /** Creates a log. */
  public SessionLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
    this.secondFrom = nanoTime.getAsLong();
  }

  /** Tells of a usual event. */
  public void info(String text) {
    if (mayWrite()) {
      log.info(text);
    }
  }

  /** Tells of something that an operator should look at. */
  public void warn(String text) {
    if (mayWrite()) {
      log.warn(text);
    }
  }

  /** Tells of a failure of this server. */
  public void error(String text, Throwable failure) {
    if (mayWrite()) {
      log.error(text, failure);
    }
  }

  private synchronized boolean mayWrite() {
    long now = nanoTime.getAsLong();
    if (now - secondFrom >= SECOND_NANOS) {
      secondFrom = now;
      lines = 0;
      if (dropped > 0) {
        log.warn("dropped {} lines about clients of network block devices", dropped);
        dropped = 0;
      }
    }
    if (lines == LINES_A_SECOND) {
      dropped++;
      return false;
    }
    lines++;
    return true;
  }
}
