package corfu.store.http;

/** A request that cannot be served, and how that is said. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final String BUSY = "busy";

  private final int status;
  private final String code;

  Refusal(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  static Refusal badRequest(String message) {
    return new Refusal(400, "bad-request", message);
  }

  /** The server has no room for the request now; nothing happened. */
  static Refusal busy(String message) {
    return new Refusal(503, BUSY, message);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }
}
