package corfu.cli.object;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jline.reader.LineReader;

/**
 * The lines of earlier interactive sessions, in a file that only its owner may read: {@code
 * $XDG_STATE_HOME/corfu/shell-history}, or {@code ~/.local/state/corfu/shell-history}.
 */
final class ShellHistory {

  /** The number of lines that the file keeps. */
  static final int LINES = 1000;

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private ShellHistory() {}

  /**
   * Returns the history file of a user.
   *
   * @param environment the environment of the process
   * @param home the user's home directory
   */
  static Path file(Map<String, String> environment, Path home) {
    Path state =
        Optional.ofNullable(environment.get("XDG_STATE_HOME"))
            .map(Path::of)
            .filter(Path::isAbsolute) // the XDG specification says to ignore a relative path
            .orElseGet(() -> home.resolve(".local").resolve("state"));
    return state.resolve("corfu").resolve("shell-history");
  }

  /**
   * Loads the file into a reader, which appends each line to it.
   *
   * @throws IOException if the file cannot be created, read or protected from other users
   */
  static void keep(LineReader reader, Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      Files.createDirectories(directory, attribute(file, DIRECTORY));
    }
    try {
      Files.createFile(file, attribute(file, FILE));
    } catch (FileAlreadyExistsException earlier) {
      if (hasPermissions(file)) {
        Files.setPosixFilePermissions(file, FILE);
      }
    }
    reader.setVariable(LineReader.HISTORY_FILE, file);
    reader.setVariable(LineReader.HISTORY_SIZE, LINES);
    reader.setVariable(LineReader.HISTORY_FILE_SIZE, LINES);
    reader.getHistory().attach(reader);
    reader.getHistory().load();
  }

  private static FileAttribute<?>[] attribute(Path file, Set<PosixFilePermission> permissions) {
    return hasPermissions(file)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  /** Whether the file system has permissions; that of Windows has none. */
  private static boolean hasPermissions(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
