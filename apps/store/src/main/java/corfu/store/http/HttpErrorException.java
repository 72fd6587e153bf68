package corfu.store.http;

import java.time.Duration;
import java.util.Map;

/** A request that cannot be served, with its HTTP status and error code. */
final class HttpErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final String BUSY = "busy";

  private static final String RETRY_AFTER = "Retry-After";

  private final int status;
  private final String code;
  private final transient Map<String, String> headers;

  HttpErrorException(int status, String code, String message) {
    this(status, code, message, status == 503 ? Map.of(RETRY_AFTER, "1") : Map.of());
  }

  private HttpErrorException(int status, String code, String message, Map<String, String> headers) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  static HttpErrorException badRequest(String message) {
    return new HttpErrorException(400, "bad-request", message);
  }

  /** Returns the error of a server without room for a request; nothing has happened. */
  static HttpErrorException busy(String message) {
    return new HttpErrorException(503, BUSY, message);
  }

  /** Returns the error of a request that needs an identity. */
  static HttpErrorException noIdentity(String message) {
    return new HttpErrorException(
        401, "no-identity", message, Map.of("WWW-Authenticate", "Bearer realm=\"corfu\""));
  }

  /** Returns the error of a request whose certificate or token is not accepted. */
  static HttpErrorException wrongIdentity(String message) {
    return new HttpErrorException(
        401,
        "wrong-identity",
        message,
        Map.of("WWW-Authenticate", "Bearer realm=\"corfu\", error=\"invalid_token\""));
  }

  /** Returns the error of a request over a quota; nothing has happened. */
  static HttpErrorException overQuota(String message, Duration wait) {
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return new HttpErrorException(
        429, "over-quota", message, Map.of(RETRY_AFTER, Long.toString(seconds)));
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  /** Returns the headers of the response that belong to this error. */
  Map<String, String> headers() {
    return headers;
  }
}
