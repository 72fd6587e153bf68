package corfu.cli.disk.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Programs of the machine that the demo uses where they are installed. */
final class DiskTools {

  private static final String ALWAYS = "/usr/sbin" + File.pathSeparator + "/sbin";

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private DiskTools() {}

  /** Returns whether all of these programs are installed. */
  static boolean have(String... programs) {
    return Stream.of(programs).allMatch(program -> !find(program).isEmpty());
  }

  /** Returns the path of a program, or an empty text. */
  private static String find(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + ALWAYS;
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse("");
  }

  /**
   * Runs a program to its end, and returns its output, errors included.
   *
   * @throws CommandException if it fails or does not end in time; the message has its output
   */
  static String run(String program, String... arguments) throws IOException, InterruptedException {
    return run(DEADLINE, program, arguments);
  }

  /**
   * Runs a program with a deadline of its own.
   *
   * @param deadline the time after which the program is killed
   * @throws CommandException as {@link #run(String, String...)}
   */
  static String run(Duration deadline, String program, String... arguments)
      throws IOException, InterruptedException {
    var command = Stream.concat(Stream.of(find(program)), Stream.of(arguments)).toList();
    // A file, since a read of a pipe would have no deadline.
    Path output = Files.createTempFile("corfu-demo-", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        process.getOutputStream().close();
        boolean isEnded = process.waitFor(deadline);
        String text = new String(Files.readAllBytes(output), UTF_8);
        if (!isEnded || process.exitValue() != 0) {
          String problem =
              isEnded
                  ? "ended with status " + process.exitValue()
                  : "did not end within %d ms".formatted(deadline.toMillis());
          throw new CommandException(
              ExitCode.FAILED,
              "the demo failed: %s %s %s: %s"
                  .formatted(program, String.join(" ", arguments), problem, text.strip()));
        }
        return text;
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.delete(output);
    }
  }
}
