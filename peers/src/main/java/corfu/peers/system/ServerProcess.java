package corfu.peers.system;

import corfu.peers.program.AbsentException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that can't outlive this one. */
final class ServerProcess implements AutoCloseable {

  /**
   * Runs the command behind it, and kills that when its own input ends; the input ends when this
   * process ends, for whatever reason. It ignores signals from a terminal: this process decides in
   * which order all others end.
   */
  private static final String LEASH =
      """
      trap '' INT HUP TERM
      exec 3<&0
      "$@" </dev/null 3<&- &
      child=$!
      { cat <&3; kill -9 "$child"; } >/dev/null 2>&1 &
      exec 3<&-
      wait "$child"
      """;

  private static final Duration END = Duration.ofSeconds(10);

  private final String name;
  private final Process leash;
  private final Path log;

  private ServerProcess(String name, Process leash, Path log) {
    this.name = name;
    this.leash = leash;
    this.log = log;
  }

  static ServerProcess start(String name, ProcessBuilder command, Path directory)
      throws AbsentException {
    Path log = directory.resolve(name + ".log");
    List<String> whole = new ArrayList<>(List.of("/bin/sh", "-c", LEASH, "leash"));
    whole.addAll(command.command());
    command.command(whole).directory(directory.toFile());
    command.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      return new ServerProcess(name, command.start(), log);
    } catch (IOException e) {
      throw new AbsentException("%s cannot be started: %s".formatted(name, e.getMessage()), e);
    }
  }

  String name() {
    return name;
  }

  void refuseIfEnded() throws AbsentException {
    if (!leash.isAlive()) {
      throw new AbsentException(
          "%s ended with status %d; it says: %s".formatted(name, leash.exitValue(), lastWords()));
    }
  }

  void awaitSuccess(Duration patience) throws AbsentException {
    try {
      if (!leash.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        close();
        throw new AbsentException("%s did not end within %s".formatted(name, patience));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbsentException(name + " was interrupted", e);
    }
    if (leash.exitValue() != 0) {
      refuseIfEnded();
    }
  }

  /** Returns the end of its log on one line. */
  String lastWords() {
    return ProcessOutput.of(log);
  }

  /** Kills the process and waits for its end. */
  @Override
  public void close() {
    try {
      leash.getOutputStream().close();
      if (leash.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException alreadyClosed) {
      // the process has ended, or is killed below
    }
    leash.descendants().forEach(ProcessHandle::destroyForcibly);
    leash.destroyForcibly();
  }
}
