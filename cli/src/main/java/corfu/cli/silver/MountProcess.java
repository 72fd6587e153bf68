package corfu.cli.silver;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.world.RealWorld;
import corfu.world.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The background process that serves a mount.
 *
 * @param target the file system
 * @param mountPoint the directory
 * @param log receives the process's messages
 * @param limit the longest time until the mount is usable
 */
record MountProcess(Target target, Path mountPoint, Path log, Duration limit) {

  private static final String FAILURE = "corfu: ";

  /**
   * Starts the process and returns its id when its mount is usable.
   *
   * @param options further arguments, among them those that name the cluster
   * @throws CommandException if the process ends before that, with its message and exit status, or
   *     if the limit has passed
   */
  long start(List<String> options) throws IOException {
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
    AtomicBoolean isLate = new AtomicBoolean();
    try (var world = new RealWorld();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      World.Timer timer =
          world.after(
              limit.toNanos(),
              () -> {
                isLate.set(true);
                process.destroyForcibly();
              });
      boolean isMounted = out.readLine() != null;
      timer.cancel();
      if (isMounted && !isLate.get()) {
        return process.pid();
      }
    }
    if (isLate.get()) {
      removeDeadMount();
      throw new CommandException(
          ExitCode.UNAVAILABLE,
          "%s is not mounted on %s after %d s; see %s"
              .formatted(target, mountPoint, limit.toSeconds(), log));
    }
    throw failure(process, before);
  }

  private void removeDeadMount() {
    try {
      FuseMount.unmount(mountPoint, true);
    } catch (MountException notMounted) {
      // the process had not come so far
    }
  }

  private CommandException failure(Process process, long before) throws IOException {
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
