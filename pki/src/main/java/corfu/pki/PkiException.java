package corfu.pki;

/**
 * A file of keys or certificates cannot be used, or an operation is refused. The message names the
 * file and what to do, and never has a part of a key.
 */
public final class PkiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PkiException(String message) {
    super(message);
  }

  public PkiException(String message, Throwable cause) {
    super(message, cause);
  }
}
