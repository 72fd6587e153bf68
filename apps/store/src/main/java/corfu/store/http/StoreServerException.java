package corfu.store.http;

import java.net.InetSocketAddress;

/** A server cannot start. The message names the reason and the remedy. */
public final class StoreServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreServerException(String message) {
    super(message);
  }

  private StoreServerException(String message, Throwable cause) {
    super(message, cause);
  }

  static StoreServerException cannotListen(InetSocketAddress where, Throwable cause) {
    return new StoreServerException(
        "cannot listen on %s:%d: %s; choose another port, or stop the process that listens there"
            .formatted(where.getHostString(), where.getPort(), cause.getMessage()),
        cause);
  }
}
