package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * {@code mvn install} installs the modules that applications embed, and succeeds. {@code
 * InstallTest} in {@code proof} shows this with a real installation, which needs minutes. This test
 * is fast.
 */
class InstalledModulesTest {

  private static final Path ROOT = Sources.ofThisRepository().root();
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("(?s)<dependency>\\s*<groupId>corfu</groupId>(.*?)</dependency>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*)</artifactId>");
  private static final Pattern NAMED = Pattern.compile("corfu:(corfu-[a-z-]+)");

  private static List<String> modules() throws IOException {
    return all(MODULE, Files.readString(ROOT.resolve("pom.xml")));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static String artifact(String module) throws IOException {
    return all(ARTIFACT, pom(module)).get(1); // behind its parent's
  }

  private static boolean isInstalled(String module) throws IOException {
    return !pom(module).contains("<maven.install.skip>true</maven.install.skip>");
  }

  private static Set<String> installed() throws IOException {
    Set<String> artifacts = new LinkedHashSet<>();
    for (String module : modules()) {
      if (isInstalled(module)) {
        artifacts.add(artifact(module));
      }
    }
    return artifacts;
  }

  /** Maven fails if there is nothing to install. */
  @Test
  void whatIsInstalledHasAJar() throws IOException {
    for (String module : modules()) {
      if (isInstalled(module)) {
        assertThat(ROOT.resolve(module).resolve("src/main/java")).isDirectory();
      }
    }
  }

  @Test
  void whatIsInstalledNeedsNothingThatIsNot() throws IOException {
    Set<String> installed = installed();
    for (String module : modules()) {
      if (isInstalled(module)) {
        List<String> needed =
            DEPENDENCY
                .matcher(pom(module))
                .results()
                .map(MatchResult::group)
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .map(dependency -> all(ARTIFACT, dependency).getFirst())
                .toList();
        assertThat(installed).as("what %s needs", module).containsAll(needed);
      }
    }
  }

  @Test
  void whatPagesOfferToBuildsOfUsersIsInstalled() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String objects = Files.readString(ROOT.resolve("docs/objects.md"));

    assertThat(installed()).containsAll(all(NAMED, readme + objects));
  }
}
