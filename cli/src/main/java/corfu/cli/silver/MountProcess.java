package corfu.cli.silver;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the background process that serves a mount. */
final class MountProcess {

  private static final String FAILURE = "corfu: ";

  private MountProcess() {}

  /**
   * Starts the process and returns its id when its mount is usable.
   *
   * @param log receives the process's messages
   * @param options further arguments, among them those that name the cluster
   * @throws CommandException if the process ends before that, with its message and exit status
   */
  static long start(Target target, Path mountPoint, Path log, List<String> options)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("silver", "mount", target.toString(), mountPoint.toString(), "--foreground"));
    arguments.addAll(options);
    long before = Files.exists(log) ? Files.size(log) : 0;
    Process process =
        CorfuProgram.command()
            .detachedWith(arguments.toArray(String[]::new))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process.getOutputStream().close();
    try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      if (out.readLine() != null) {
        return process.pid();
      }
    }
    throw failure(target, process, log, before);
  }

  private static CommandException failure(Target target, Process process, Path log, long before)
      throws IOException {
    int status = process.onExit().join().exitValue();
    byte[] all = Files.readAllBytes(log);
    int from = (int) Math.min(before, all.length);
    String message =
        new String(all, from, all.length - from, UTF_8)
            .lines()
            .filter(line -> line.startsWith(FAILURE))
            .map(line -> line.substring(FAILURE.length()))
            .reduce((first, second) -> second)
            .orElseGet(() -> "the process that mounts %s has ended; see %s".formatted(target, log));
    return new CommandException(status == ExitCode.OK ? ExitCode.FAILED : status, message);
  }
}
