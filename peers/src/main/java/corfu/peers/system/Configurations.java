package corfu.peers.system;

import java.util.stream.Collectors;

/** Prints configurations for people to read. */
final class Configurations {

  private Configurations() {}

  /** Returns the file's lines on one line, without blank lines and comments. */
  static String onOneLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .collect(Collectors.joining("; "));
  }
}
