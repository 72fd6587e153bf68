package corfu.silver.mount;

import corfu.silver.writeback.WriteBackOptions;
import java.time.Duration;

/**
 * The options of a mount. Immutable; each {@code with} method returns a copy with one change.
 *
 * @param consistency the promise about data that another mount has written
 * @param writeBack the bounds of the buffer of {@link Consistency#CLOSE}
 * @param timeout the time after which a request fails with EIO, longer than zero; the client of the
 *     log should have the same operation timeout
 */
public record SilverMountOptions(
    Consistency consistency, WriteBackOptions writeBack, Duration timeout) {

  /** The promise of a mount about data that another mount has written. */
  public enum Consistency {
    /** A read sees every write that had returned before. A write returns when the log has it. */
    STRICT,

    /**
     * An open sees every file that was closed or synced before. Writes wait in a buffer of the
     * mount until the file is closed or synced, or for a bounded time.
     */
    CLOSE
  }

  /** Strict consistency, and the operation timeout of most clients. */
  public static final SilverMountOptions DEFAULT =
      new SilverMountOptions(Consistency.STRICT, WriteBackOptions.DEFAULT, Duration.ofSeconds(10));

  public SilverMountOptions {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("a timeout is longer than zero, not " + timeout);
    }
  }

  /** Returns options with another promise. */
  public SilverMountOptions with(Consistency other) {
    return new SilverMountOptions(other, writeBack, timeout);
  }

  /** Returns options with other bounds of the buffer. */
  public SilverMountOptions with(WriteBackOptions other) {
    return new SilverMountOptions(consistency, other, timeout);
  }

  /** Returns options with another timeout of requests. */
  public SilverMountOptions withTimeout(Duration other) {
    return new SilverMountOptions(consistency, writeBack, other);
  }
}
