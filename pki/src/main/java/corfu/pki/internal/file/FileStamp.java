package corfu.pki.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The time and size of a file, which change whenever the file does.
 *
 * @param text the stamp; {@code missing} if there is no such file
 */
public record FileStamp(String text) {

  /** Returns the present stamp of a file. */
  public static FileStamp of(Path file) {
    try {
      var found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(found.lastModifiedTime() + " " + found.size() + " " + found.fileKey());
    } catch (IOException missing) {
      return new FileStamp("missing");
    }
  }
}
