package corfu.peers.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** What a directory of jars says of itself. */
final class Jars {

  private static final String ENDING = ".jar";

  /** What a build of Maven leaves in a jar of where it came from. */
  private static final String ORIGIN = "git.properties";

  private Jars() {}

  /** The commit that a jar was built from, if it says so. */
  static Optional<String> commit(Path jars, String artifact) throws AbsentException {
    Path jar = jars.resolve(artifact + "-" + version(jars, artifact) + ENDING);
    try (var file = new JarFile(jar.toFile())) {
      JarEntry entry = file.getJarEntry(ORIGIN);
      if (entry == null) {
        return Optional.empty();
      }
      var properties = new Properties();
      properties.load(file.getInputStream(entry));
      return Optional.ofNullable(properties.getProperty("git.commit.id.abbrev"));
    } catch (IOException e) {
      throw new AbsentException("cannot read " + jar, e);
    }
  }

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
