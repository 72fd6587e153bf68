package corfu.peers.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds the last output of a process that failed. */
public final class ProcessOutput {

  private static final int LINES = 3;

  private ProcessOutput() {}

  /** Returns the end of a log on one line. Of stack traces only the exceptions remain. */
  public static String of(Path log) {
    try {
      List<String> lines =
          Files.readString(log, StandardCharsets.ISO_8859_1)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("at ") && !line.startsWith("..."))
              .toList();
      return lines.isEmpty()
          ? "nothing"
          : String.join(" / ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "nothing that can be read";
    }
  }
}
