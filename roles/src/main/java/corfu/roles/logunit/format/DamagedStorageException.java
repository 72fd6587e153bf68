package corfu.roles.logunit.format;

/**
 * A log unit can't tell from its files what it holds, and so must not open them: it might call
 * something unwritten that was acknowledged. The message names the file and the damage.
 */
public final class DamagedStorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedStorageException(String message) {
    super(message);
  }
}
