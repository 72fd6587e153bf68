package corfu.peers.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a directory of jars says of itself. */
final class Jars {

  private static final String ENDING = ".jar";

  private Jars() {}

  /** The version in the name of a jar. */
  static String version(Path jars, String artifact) throws AbsentException {
    String start = artifact + "-";
    try (Stream<Path> files = Files.list(jars)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(start) && name.endsWith(ENDING))
          .map(name -> name.substring(start.length(), name.length() - ENDING.length()))
          .filter(version -> Character.isDigit(version.charAt(0)))
          .findFirst()
          .orElseThrow(() -> new AbsentException("Maven brought no " + artifact));
    } catch (IOException e) {
      throw new AbsentException("cannot read " + jars, e);
    }
  }
}
