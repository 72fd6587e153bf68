package corfu.store.http;

/** A request that cannot be served, with its HTTP status and error code. */
final class HttpErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final String BUSY = "busy";

  private final int status;
  private final String code;

  HttpErrorException(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  static HttpErrorException badRequest(String message) {
    return new HttpErrorException(400, "bad-request", message);
  }

  /** Returns the error of a server without room for a request; nothing has happened. */
  static HttpErrorException busy(String message) {
    return new HttpErrorException(503, BUSY, message);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }
}
