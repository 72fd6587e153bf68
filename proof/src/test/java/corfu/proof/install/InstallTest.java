package corfu.proof.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs a copy of this checkout as the README says, and uses it from a project outside. It takes
 * minutes, so it runs only with the long tests: {@code ./corfu test --long}.
 */
@EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
class InstallTest {

  private static final Set<String> LEFT_BY_TOOLS = Set.of(".git", ".corfu", "target");
  private static final Pattern INSTALL = Pattern.compile("`mvn (install [^`]*)`");
  private static final Pattern ARTIFACT = Pattern.compile("corfu:(corfu-[a-z-]+)");
  private static final String VERSION = "0.1.0-SNAPSHOT";

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>outside</groupId>
        <artifactId>outside</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>25</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencies>
      %s  </dependencies>
        <build>
          <plugins>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-toolchains-plugin</artifactId>
              <version>3.2.0</version>
              <executions>
                <execution>
                  <goals><goal>select-jdk-toolchain</goal></goals>
                  <configuration><version>[25,)</version></configuration>
                </execution>
              </executions>
            </plugin>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-resources-plugin</artifactId>
              <version>3.3.1</version>
            </plugin>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>3.14.1</version>
              <configuration>
                <fork>true</fork>
                <annotationProcessorPaths>
                  <path>
                    <groupId>corfu</groupId>
                    <artifactId>corfu-objects-processor</artifactId>
                    <version>0.1.0-SNAPSHOT</version>
                  </path>
                </annotationProcessorPaths>
              </configuration>
            </plugin>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-dependency-plugin</artifactId>
              <version>3.9.0</version>
              <executions>
                <execution>
                  <phase>compile</phase>
                  <goals><goal>copy-dependencies</goal></goals>
                  <configuration><includeScope>runtime</includeScope></configuration>
                </execution>
              </executions>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  @TempDir Path home;
  private Path checkout;
  private Path repository;
  private Path outside;

  @BeforeEach
  void prepare() throws IOException {
    checkout = home.resolve("checkout");
    repository = home.resolve("repository");
    outside = home.resolve("outside");
    copy(root(), checkout);
    Files.createDirectories(repository);
    borrowWhatThisMachineHas();
  }

  private static Path root() {
    return Path.of("").toAbsolutePath().getParent();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_BY_TOOLS.contains(directory.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!LEFT_BY_TOOLS.contains(file.getFileName().toString())) {
              Files.copy(file, to.resolve(from.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Links to this machine's Maven repository, except for Corfu's own artifacts, so that nothing is
   * fetched again.
   */
  private void borrowWhatThisMachineHas() throws IOException {
    Path machines = Path.of(System.getProperty("user.home"), ".m2", "repository");
    if (Files.isDirectory(machines)) {
      try (var groups = Files.list(machines)) {
        for (Path group : groups.filter(Files::isDirectory).toList()) {
          if (!group.endsWith("corfu")) {
            Files.createSymbolicLink(repository.resolve(group.getFileName()), group);
          }
        }
      }
    }
  }

  @Test
  void aProjectOutsideUsesWhatTheReadmeInstalls() throws Exception {
    String readme = Files.readString(checkout.resolve("README.md"));
    MatchResult install = INSTALL.matcher(readme).results().findFirst().orElseThrow();

    maven(checkout, install.group(1).split(" "));

    Set<String> artifacts = new TreeSet<>();
    ARTIFACT.matcher(readme).results().forEach(found -> artifacts.add(found.group(1)));
    artifacts.add("corfu-objects-processor");
    assertThat(artifacts).contains("corfu-runtime", "corfu-node", "corfu-objects");
    for (String artifact : artifacts) {
      Path jar = repository.resolve("corfu/" + artifact + "/" + VERSION);
      assertThat(jar.resolve(artifact + "-" + VERSION + ".jar")).exists();
      assertThat(jar.resolve(artifact + "-" + VERSION + "-sources.jar")).exists();
    }
    writeProject(artifacts);
    maven(outside, "compile");
    assertThat(run("HelloLog")).isEqualTo("0: hello\n1: world\n");
    assertThat(run("Bank")).isEqualTo("alice has 70, bob has 30\n");
  }

  private void writeProject(Set<String> artifacts) throws IOException {
    Path sources = Files.createDirectories(outside.resolve("src/main/java"));
    var dependencies = new StringBuilder();
    for (String artifact : artifacts) {
      if (!artifact.endsWith("-processor")) {
        dependencies.append(
            "<dependency><groupId>corfu</groupId><artifactId>%s</artifactId>".formatted(artifact)
                + "<version>%s</version></dependency>%n".formatted(VERSION));
      }
    }
    Files.writeString(outside.resolve("pom.xml"), POM.formatted(dependencies));
    for (String example : List.of("HelloLog", "Bank")) {
      Path source = checkout.resolve("cli/src/test/java/corfu/example/" + example + ".java");
      String text = Files.readString(source).replace("package corfu.example;\n", "");
      Files.writeString(sources.resolve(example + ".java"), text);
    }
  }

  private void maven(Path directory, String... goals) throws Exception {
    var command = new ArrayList<>(List.of("mvn", "-B", "-q", "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(goals));
    String said = run(directory, command);
    assertThat(said).as("mvn %s in %s", String.join(" ", goals), directory).doesNotContain("ERROR");
  }

  private String run(String example) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path = "target/classes" + File.pathSeparator + "target/dependency/*";
    return run(outside, List.of(java, "--enable-native-access=ALL-UNNAMED", "-cp", path, example));
  }

  private static String run(Path directory, List<String> command) throws Exception {
    Path errors = directory.resolve("errors.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(errors.toFile())
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    assertThat(status)
        .as("%s: %s%s", String.join(" ", command), said, Files.readString(errors))
        .isZero();
    return said;
  }
}
