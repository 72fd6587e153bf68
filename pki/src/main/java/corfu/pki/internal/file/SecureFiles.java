package corfu.pki.internal.file;

import corfu.pki.PkiException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files of which some are secret. A file is replaced as a whole: readers see the old content or the
 * new one, also after a crash. All methods throw {@link PkiException} if the system refuses.
 */
public final class SecureFiles {

  /** The largest file that is read, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  private static final Set<PosixFilePermission> PUBLIC =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> SECRET =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> SECRET_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private SecureFiles() {}

  /** Returns the text of a file of at most {@link #MAX_BYTES}. */
  public static String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new PkiException(
            "%s has more than %d bytes, so it is no file of keys or certificates; name another one"
                .formatted(file, MAX_BYTES));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException binary) {
      throw new PkiException(file + " is not text; name a file in PEM format", binary);
    } catch (NoSuchFileException missing) {
      throw new PkiException("there is no file " + file, missing);
    } catch (IOException unreadable) {
      throw failure("read", file, unreadable);
    }
  }

  /** Returns the text of a secret file, and refuses one that others may read or write. */
  public static String readSecret(Path file) {
    checkSecret(file);
    return read(file);
  }

  /**
   * Refuses a secret file or directory that others may read, write or enter.
   *
   * @throws PkiException if the permissions are too wide
   */
  public static void checkSecret(Path path) {
    try {
      Set<PosixFilePermission> found = Files.getPosixFilePermissions(path);
      if (found.stream().anyMatch(OF_OTHERS::contains)) {
        throw new PkiException(
            "others may use %s (its permissions are %s), but it has private keys; run: chmod %s %s"
                .formatted(
                    path,
                    PosixFilePermissions.toString(found),
                    Files.isDirectory(path) ? "700" : "600",
                    path));
      }
    } catch (NoSuchFileException missing) {
      throw new PkiException("there is no file " + path, missing);
    } catch (UnsupportedOperationException noPermissions) {
      throw new PkiException(
          path + " is on a file system without permissions; move the directory to another one",
          noPermissions);
    } catch (IOException unreadable) {
      throw failure("read", path, unreadable);
    }
  }

  /** Replaces a file that everybody may read, or creates it. */
  public static void replacePublic(Path file, String text) {
    replace(file, text, PUBLIC);
  }

  /** Replaces a file that only its owner may read, or creates it. */
  public static void replaceSecret(Path file, String text) {
    replace(file, text, SECRET);
  }

  private static void replace(Path file, String text, Set<PosixFilePermission> permissions) {
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh); // a crash has left it
      write(fresh, text, permissions);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncNames(directoryOf(file));
    } catch (NoSuchFileException missing) {
      throw new PkiException(
          "cannot write %s, because there is no directory %s; create it"
              .formatted(file, directoryOf(file)),
          missing);
    } catch (AtomicMoveNotSupportedException unsafe) {
      throw new PkiException(
          file + " is on a file system that does not rename files atomically; use another one",
          unsafe);
    } catch (IOException | UnsupportedOperationException refused) {
      throw failure("write", file, refused);
    }
  }

  private static void write(Path fresh, String text, Set<PosixFilePermission> permissions)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(permissions))) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
      channel.force(true);
    }
    Files.setPosixFilePermissions(fresh, permissions); // whatever the umask says
  }

  /** Deletes a file. Does nothing if it does not exist. */
  public static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
      syncNames(directoryOf(file));
    } catch (IOException refused) {
      throw failure("delete", file, refused);
    }
  }

  private static void syncNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** Creates a directory that only its owner may enter, unless it exists. */
  public static void createDirectory(Path directory) {
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(SECRET_DIRECTORY));
      Files.setPosixFilePermissions(directory, SECRET_DIRECTORY);
      syncNames(directoryOf(directory));
    } catch (FileAlreadyExistsException exists) {
      if (!Files.isDirectory(directory)) {
        throw new PkiException(
            directory + " is a file, and no directory; name another one", exists);
      }
    } catch (NoSuchFileException missing) {
      throw new PkiException(
          "cannot create %s, because there is no directory %s; create it"
              .formatted(directory, directoryOf(directory)),
          missing);
    } catch (IOException | UnsupportedOperationException refused) {
      throw failure("create", directory, refused);
    }
  }

  /** Returns the files of a directory whose names end so, in the order of their names. */
  public static List<Path> list(Path directory, String ending) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(ending))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    } catch (NoSuchFileException missing) {
      return List.of();
    } catch (IOException unreadable) {
      throw failure("read", directory, unreadable);
    }
  }

  /** Returns whether the path exists, also as a link to nothing. */
  public static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the directory that holds a file. */
  private static Path directoryOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }

  private static PkiException failure(String verb, Path file, Exception cause) {
    return new PkiException("cannot %s %s: %s".formatted(verb, file, cause), cause);
  }
}
