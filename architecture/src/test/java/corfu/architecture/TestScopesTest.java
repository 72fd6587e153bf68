package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A module that names another one for its tests alone takes it away from all that it depends on:
 * the program then compiles, its tests pass, and the shipped program lacks the module.
 */
class TestScopesTest {

  private static final Pattern ARTIFACT =
      Pattern.compile("</parent>.*?<artifactId>(corfu-[a-z-]+)</artifactId>", Pattern.DOTALL);
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("<artifactId>(corfu-[a-z-]+)</artifactId>");

  /** The modules on which a module depends. */
  private record Dependencies(Set<String> ofProgram, Set<String> ofTests) {}

  private static Map<String, Dependencies> modules() throws IOException {
    Map<String, Dependencies> modules = new LinkedHashMap<>();
    Path root = Sources.ofThisRepository().root();
    try (Stream<Path> directories = Files.walk(root, 2)) {
      for (Path pom : directories.map(path -> path.resolve("pom.xml")).toList()) {
        if (Files.exists(pom) && !pom.getParent().equals(root)) {
          String text = Files.readString(pom);
          ARTIFACT.matcher(text).results().forEach(name -> modules.put(name.group(1), of(text)));
        }
      }
    }
    return modules;
  }

  private static Dependencies of(String pom) {
    var dependencies = new Dependencies(new TreeSet<>(), new TreeSet<>());
    for (MatchResult found : DEPENDENCY.matcher(pom).results().toList()) {
      String dependency = found.group(1);
      boolean isForTests = dependency.contains("<scope>test</scope>");
      boolean isOfTests = dependency.contains("<type>test-jar</type>");
      if (!isOfTests) {
        Set<String> names = isForTests ? dependencies.ofTests() : dependencies.ofProgram();
        NAME.matcher(dependency).results().forEach(name -> names.add(name.group(1)));
      }
    }
    return dependencies;
  }

  private static Set<String> needed(String module, Map<String, Dependencies> modules) {
    Set<String> needed = new TreeSet<>();
    for (String direct : modules.get(module).ofProgram()) {
      needed.add(direct);
      needed.addAll(needed(direct, modules));
    }
    return needed;
  }

  @Test
  void noModuleIsForTestsAloneIfTheProgramNeedsIt() throws IOException {
    Map<String, Dependencies> modules = modules();
    assertThat(modules).containsKeys("corfu-cli", "corfu-silver", "corfu-world");
    Map<String, Set<String>> missing = new HashMap<>();
    for (String module : modules.keySet()) {
      Set<String> both = new TreeSet<>(needed(module, modules));
      both.retainAll(modules.get(module).ofTests());
      if (!both.isEmpty()) {
        missing.put(module, both);
      }
    }
    assertThat(missing).as("modules that the program lacks").isEmpty();
  }
}
