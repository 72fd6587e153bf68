package corfu.cli.silver.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories with all that is in them. */
final class LocalTree {

  private LocalTree() {}

  /** The content of a tree. */
  record Size(long files, long bytes) {}

  /** Copies a directory to a path that does not exist. Symbolic links are copied as such. */
  static Size copy(Path from, Path to) throws IOException {
    long files = 0;
    long bytes = 0;
    for (Path path : all(from)) {
      Path target = to.resolve(from.relativize(path).toString());
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectories(target);
      } else {
        Path unused =
            Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        files++;
        bytes += Files.size(target);
      }
    }
    return new Size(files, bytes);
  }

  /** Returns whether two trees have the same names, and their files the same bytes. */
  static boolean areEqual(Path one, Path other) throws IOException {
    List<Path> names = all(one);
    if (names.size() != all(other).size()) {
      return false;
    }
    for (Path path : names) {
      Path its = other.resolve(one.relativize(path).toString());
      if (!isEqual(path, its)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEqual(Path one, Path other) throws IOException {
    if (Files.isSymbolicLink(one)) {
      return Files.isSymbolicLink(other)
          && Files.readSymbolicLink(one).equals(Files.readSymbolicLink(other));
    }
    if (Files.isDirectory(one)) {
      return Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS);
    }
    return Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS) && Files.mismatch(one, other) < 0;
  }

  /** Removes a directory. */
  static void remove(Path directory) throws IOException {
    for (Path path : all(directory).reversed()) {
      Files.delete(path);
    }
  }

  /** Returns the directory and all paths below it, each behind its parent. */
  private static List<Path> all(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted(Comparator.naturalOrder()).toList();
    }
  }
}
