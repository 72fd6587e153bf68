package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.log.LineReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The lines that the demo appends, in a copy of their files, so that the check does not depend on
 * the originals. Each writer has a part of the copy.
 *
 * @param name the name of the lines for people
 * @param copy the file with the copy
 * @param lines the number of lines
 * @param bytes the size of the lines in bytes, ends of lines included
 * @param parts the part of each writer
 */
record DemoInput(String name, Path copy, long lines, long bytes, List<Part> parts) {

  /** The system property with the source tree's directory, which the launcher sets. */
  private static final String HOME = "corfu.home";

  private static final Set<String> LEFT_BY_TOOLS = Set.of("target", "node_modules");
  private static final int BUFFER_BYTES = 1 << 16;

  /**
   * Consecutive lines.
   *
   * @param offset the place of the first line in the file, in bytes
   */
  record Part(long offset, long lines) {}

  /** Returns all lines of a file. */
  static DemoInput ofFile(Path file, Path copy, int writers) throws IOException {
    return copy(file.toString(), List.of(file), copy, writers);
  }

  /** Returns all lines of the project's own source tree. */
  static DemoInput ofSourceTree(Path copy, int writers) throws IOException {
    Path home = Optional.ofNullable(System.getProperty(HOME)).map(Path::of).orElse(Path.of(""));
    if (!Files.exists(home.resolve("pom.xml"))) {
      throw new CommandException(
          ExitCode.USAGE, "corfu's own source tree is not here; name a file: corfu demo FILE");
    }
    return copy("corfu's own source tree", sourcesBelow(home), copy, writers);
  }

  private static List<Path> sourcesBelow(Path home) throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean foreign = name.startsWith(".") || LEFT_BY_TOOLS.contains(name);
            return foreign && !directory.equals(home)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  private static DemoInput copy(String name, List<Path> sources, Path copy, int writers)
      throws IOException {
    long lines = 0;
    try (var out = new BufferedOutputStream(Files.newOutputStream(copy), BUFFER_BYTES)) {
      for (Path source : sources) {
        try (var in = new LineReader(Files.newInputStream(source), DemoEntry.LONGEST_LINE)) {
          lines += copyLines(in, out);
        }
      }
    }
    return new DemoInput(name, copy, lines, Files.size(copy), partsOf(copy, lines, writers));
  }

  private static long copyLines(LineReader in, OutputStream out) throws IOException {
    for (var line = in.next(); line.isPresent(); line = in.next()) {
      out.write(line.get());
      out.write('\n');
    }
    return in.number();
  }

  private static List<Part> partsOf(Path copy, long lines, int writers) throws IOException {
    var parts = new ArrayList<Part>();
    try (var in = new LineReader(Files.newInputStream(copy), DemoEntry.LONGEST_LINE)) {
      long offset = 0;
      for (int writer = 0; writer < writers; writer++) {
        long end = lines * (writer + 1) / writers;
        parts.add(new Part(offset, end - in.number()));
        while (in.number() < end) {
          offset += in.next().orElseThrow().length + 1;
        }
      }
    }
    return List.copyOf(parts);
  }

  /** Returns a reader from the first line of a writer on, which does not stop at the last one. */
  LineReader open(int writer) throws IOException {
    var channel = FileChannel.open(copy);
    channel.position(parts.get(writer).offset());
    return new LineReader(Channels.newInputStream(channel), DemoEntry.LONGEST_LINE);
  }

  int writers() {
    return parts.size();
  }
}
