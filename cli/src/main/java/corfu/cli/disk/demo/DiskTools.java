package corfu.cli.disk.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the machine that the demo uses where they are installed. */
final class DiskTools {

  private static final String ALWAYS = "/usr/sbin" + File.pathSeparator + "/sbin";

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
   * Runs a program.
   *
   * @throws CommandException if it fails; the message has its output
   */
  static void run(String program, String... arguments) throws IOException, InterruptedException {
    var command = Stream.concat(Stream.of(find(program)), Stream.of(arguments)).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new CommandException(
          ExitCode.FAILED,
          "the demo failed: %s ended with status %d: %s"
              .formatted(
                  String.join(" ", List.of(program, String.join(" ", arguments))),
                  status,
                  output.strip()));
    }
  }
}
