package corfu.runtime;

import corfu.protocol.Endpoint;
import java.time.Duration;

/**
 * This client has used its quota, and the call's deadline is too near to wait for more. The call
 * had no effect.
 */
public final class QuotaExceededException extends CorfuException {
  private static final long serialVersionUID = 1L;

  private final Duration waitTime;

  /**
   * @param what the refused operation, for the message: "append"
   * @param server the server that refused
   * @param reason the quota and its limit
   * @param waitTime the time after which a retry may succeed
   */
  public QuotaExceededException(String what, Endpoint server, String reason, Duration waitTime) {
    super(
        "could not %s: the server at %s says: %s; try again in %d ms"
            .formatted(what, server, reason, waitTime.toMillis()));
    this.waitTime = waitTime;
  }

  /** Returns the time after which a retry may succeed. */
  public Duration waitTime() {
    return waitTime;
  }
}
