package corfu.peers.system;

import java.util.stream.Collectors;

/** Configurations for people to read. */
final class Configurations {

  private Configurations() {}

  /** The lines of a file that say something, one behind the other. */
  static String onOneLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .collect(Collectors.joining("; "));
  }
}
