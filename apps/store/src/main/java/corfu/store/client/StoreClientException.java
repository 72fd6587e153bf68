package corfu.store.client;

/** A request was refused, or not answered. */
public final class StoreClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Of requests that were not answered. */
  public static final int NO_STATUS = 0;

  /** The code of answers that are not a store's: a proxy's, or something else's at its address. */
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

  /** The HTTP status, or {@link #NO_STATUS}. */
  public int status() {
    return status;
  }

  /** What the server calls it: {@code too-large}, {@code history-gone}, {@code unavailable} ... */
  public String code() {
    return code;
  }

  /** Whether a change may have happened, or may still happen. */
  public boolean isOutcomeUnknown() {
    return status == NO_STATUS || status == 500 || status == 504 || code.equals(NO_STORE);
  }
}
