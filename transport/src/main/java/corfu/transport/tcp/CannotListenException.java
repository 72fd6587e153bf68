package corfu.transport.tcp;

import corfu.transport.internal.NetworkErrors;

/** A server cannot listen on its port; the message says why. */
public final class CannotListenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotListenException(String host, int port, Throwable cause) {
    super(
        "cannot listen on "
            + host
            + ":"
            + port
            + ": "
            + NetworkErrors.describe(cause)
            + "; choose another address, or stop the process that listens there",
        cause);
  }
}
