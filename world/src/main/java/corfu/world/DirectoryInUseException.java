package corfu.world;

/** Another process, or another server of this process, owns the directory. */
public final class DirectoryInUseException extends DiskException {
  private static final long serialVersionUID = 1L;

  public DirectoryInUseException(String message) {
    super(message);
  }
}
