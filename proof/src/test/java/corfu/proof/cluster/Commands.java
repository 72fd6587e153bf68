package corfu.proof.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/** Runs short programs of the operating system. */
final class Commands {

  private Commands() {}

  /** A program failed. */
  static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }

  /**
   * Runs a program to its end.
   *
   * @return the program's output
   * @throws FailedException if the program can't be run, or ends with another status than 0
   */
  static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      int status = process.waitFor();
      if (status != 0) {
        throw new FailedException(
            String.join(" ", command) + " ended with " + status + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new FailedException(String.join(" ", command) + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException(String.join(" ", command) + " was interrupted");
    }
  }

  /** Runs a program, given as words separated by single spaces. */
  static String run(String command) {
    return run(List.of(command.split(" ")));
  }
}
