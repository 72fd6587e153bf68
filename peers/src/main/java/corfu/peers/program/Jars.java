package corfu.peers.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Reads versions and commits from a directory of jars. Stateless. */
public final class Jars {

  private static final String ENDING = ".jar";

  /** The file in which a Maven build records the commit that it was built from. */
  private static final String ORIGIN = "git.properties";

  private Jars() {}

  /**
   * Returns the commit that a jar was built from, or empty if the jar does not record it.
   *
   * @param jars the directory
   * @param artifact the jar's artifact id
   * @throws AbsentException if the directory lacks the jar, or the jar cannot be read
   */
  public static Optional<String> commit(Path jars, String artifact) throws AbsentException {
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

  /**
   * Returns the version in the name of a jar.
   *
   * @param jars the directory
   * @param artifact the jar's artifact id
   * @throws AbsentException if the directory lacks the jar, or cannot be read
   */
  public static String version(Path jars, String artifact) throws AbsentException {
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
