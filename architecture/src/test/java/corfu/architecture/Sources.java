package corfu.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of a checkout, without the output of tools. */
record Sources(Path root) {

  private static final Set<String> LEFT_BY_TOOLS =
      Set.of(".git", ".corfu", ".idea", ".vscode", "target");

  /** Returns the checkout that contains the current directory. */
  static Sources ofThisRepository() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("build/find-jdk"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("run inside the checkout");
      }
    }
    return new Sources(directory);
  }

  List<Path> all() throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return isForeign(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException vanished) {
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  List<Path> java() throws IOException {
    return all().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /** Returns the Java sources that are shipped, without tests. */
  List<Path> mainJava() throws IOException {
    return java().stream().filter(file -> nameOf(file).contains("src/main/java/")).toList();
  }

  /** Returns the documents, without the change log: it names things that are gone. */
  List<Path> documents() throws IOException {
    return all().stream()
        .filter(file -> file.toString().endsWith(".md") && !file.endsWith("CHANGELOG.md"))
        .toList();
  }

  /** Returns the file's path relative to the root of the checkout. */
  String nameOf(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  /** Returns whether a tool wrote the directory, or it is another checkout within this one. */
  private boolean isForeign(Path directory) {
    return !directory.equals(root)
        && (LEFT_BY_TOOLS.contains(directory.getFileName().toString())
            || Files.exists(directory.resolve(".git")));
  }
}
