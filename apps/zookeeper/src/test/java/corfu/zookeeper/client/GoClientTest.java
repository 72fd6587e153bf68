package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The client of Go programs, {@code github.com/go-zookeeper/zk}, unchanged. Its program is in
 * {@code src/test/go}. The test needs the command {@code go}.
 */
class GoClientTest {

  private static final Path SOURCE = Path.of("src/test/go").toAbsolutePath();

  @TempDir private static Path directory;

  private static Path program() {
    return directory.resolve("client");
  }

  @BeforeAll
  static void buildProgram() throws Exception {
    assumeThat(isOnPath("go")).as("the command go").isTrue();
    String output = run(SOURCE, List.of("go", "build", "-o", program().toString(), "."));
    assertThat(Files.isExecutable(program())).as(output).isTrue();
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void allStepsOfTheProgramSucceed(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT)) {
      String output = run(directory, List.of(program().toString(), subject.connectString()));
      assertThat(output)
          .doesNotContain("FAILED")
          .contains("ok create\n", "ok event\n", "ok multi\n", "ok lock of another session\n");
    }
  }

  private static boolean isOnPath(String command) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, command)));
  }

  private static String run(Path in, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
    process.outputWriter().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
