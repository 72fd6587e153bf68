package corfu.roles.logunit.format;

/**
 * A log unit's files do not tell what it holds. It must not open them, because it might report an
 * acknowledged entry as unwritten. The message names the file and the damage.
 */
public final class DamagedStorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedStorageException(String message) {
    super(message);
  }
}
