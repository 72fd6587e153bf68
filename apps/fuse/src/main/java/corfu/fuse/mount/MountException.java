package corfu.fuse.mount;

import corfu.fuse.linux.Errno;
import java.io.IOException;

/** A file system could not be mounted or unmounted. Its message says why, and what to do. */
public final class MountException extends IOException {

  private static final long serialVersionUID = 1;

  private final Errno errno;

  MountException(Errno errno, String message) {
    super(message + " (" + errno + ")");
    this.errno = errno;
  }

  /** Returns the error of Linux. */
  public Errno errno() {
    return errno;
  }
}
