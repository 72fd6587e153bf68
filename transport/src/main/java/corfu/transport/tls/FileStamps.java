package corfu.transport.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The times and sizes of files, which change whenever the files do.
 *
 * @param stamps one for each file, in order
 */
record FileStamps(List<Stamp> stamps) {

  /** A missing file has a size of -1. */
  record Stamp(FileTime modified, long size, String key) {}

  static FileStamps of(List<Path> files) {
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : files) {
      stamps.add(of(file));
    }
    return new FileStamps(List.copyOf(stamps));
  }

  private static Stamp of(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    } catch (IOException e) {
      return new Stamp(FileTime.fromMillis(0), -1, "");
    }
  }
}
