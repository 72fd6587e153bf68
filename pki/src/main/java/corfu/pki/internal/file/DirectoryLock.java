package corfu.pki.internal.file;

import corfu.pki.PkiException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/** Keeps two processes, or two threads, from changing a directory at the same time. */
public final class DirectoryLock implements AutoCloseable {

  private static final String NAME = ".lock";

  private final FileChannel file;

  private DirectoryLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Takes the lock of a directory.
   *
   * @throws PkiException at once, if another process or thread has it
   */
  public static DirectoryLock of(Path directory) {
    try {
      FileChannel file =
          FileChannel.open(
              directory.resolve(NAME),
              EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      if (isLocked(file)) {
        return new DirectoryLock(file);
      }
      file.close();
    } catch (IOException | UnsupportedOperationException refused) {
      throw new PkiException("cannot lock %s: %s".formatted(directory, refused), refused);
    }
    throw new PkiException(
        "another command is changing %s; run this one again when that has ended"
            .formatted(directory));
  }

  private static boolean isLocked(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException ofThisProcess) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException ignored) {
      // the lock goes with the process at the latest
    }
  }
}
