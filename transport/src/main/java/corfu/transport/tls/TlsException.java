package corfu.transport.tls;

/** The files or options of TLS are missing or wrong. The message names the file and the remedy. */
public final class TlsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TlsException(String message) {
    super(message);
  }

  TlsException(String message, Throwable cause) {
    super(message, cause);
  }
}
