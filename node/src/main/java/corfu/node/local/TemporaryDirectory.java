package corfu.node.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A directory that is deleted with its content when it is closed.
 *
 * @param path the directory's path
 */
public record TemporaryDirectory(Path path) implements AutoCloseable {

  /** Creates a directory in the system's place for temporary files. */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary directory", e);
    }
  }

  /** Deletes the directory. May be called again, and from another thread, while it runs. */
  @Override
  public void close() {
    try {
      if (Files.exists(path)) {
        Files.walkFileTree(path, new Deletion());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException reason) throws IOException {
      if (reason instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw reason;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException reason)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
