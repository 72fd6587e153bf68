package corfu.store.client;

/** The server refused a request or did not respond. */
public final class StoreClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The status of a request without a response. */
  public static final int NO_STATUS = 0;

  /** The code of responses that do not come from a store, but from a proxy or another server. */
  public static final String NO_STORE = "no-store";

  private final int status;
  private final String code;

  StoreClientException(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  StoreClientException(String code, String message, Throwable cause) {
    super(message, cause);
    this.status = NO_STATUS;
    this.code = code;
  }

  /** Returns the HTTP status, or {@link #NO_STATUS}. */
  public int status() {
    return status;
  }

  /**
   * Returns the server's error code: {@code too-large}, {@code history-gone}, {@code unavailable}
   * ...
   */
  public String code() {
    return code;
  }

  /** Whether a change may have happened, or may still happen. */
  public boolean isOutcomeUnknown() {
    return status == NO_STATUS || status == 500 || status == 504 || code.equals(NO_STORE);
  }
}
