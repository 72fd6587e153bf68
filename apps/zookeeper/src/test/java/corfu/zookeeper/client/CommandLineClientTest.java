package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.ZooKeeperMain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ZooKeeper's own command line client {@code zkCli}, unchanged, in a process of its own. */
class CommandLineClientTest {

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void commandsOfOneSession(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT)) {
      String output =
          run(
              subject,
              List.of(
                  "create /cli hello",
                  "create -e /cli/ephemeral mortal",
                  "create -s /cli/sequential- numbered",
                  "get -s /cli",
                  "ls -R /cli",
                  "set /cli changed",
                  "get /cli",
                  "setAcl /cli/ephemeral world:anyone:r",
                  "getAcl /cli/ephemeral",
                  "getEphemerals /cli",
                  "getAllChildrenNumber /cli",
                  "whoami",
                  "sync /cli",
                  "setquota -n 10 /cli",
                  "listquota /cli",
                  "delquota /cli",
                  "get /none",
                  "deleteall /cli",
                  "ls /"));
      assertThat(output)
          .contains("Created /cli\n")
          .contains("Created /cli/ephemeral\n")
          .contains("Created /cli/sequential-0000000001\n")
          .contains("hello\n", "dataVersion = 0\n", "numChildren = 2\n")
          .contains("/cli\n/cli/ephemeral\n/cli/sequential-0000000001\n")
          .contains("changed\n")
          .contains("'world,'anyone\n: r\n")
          .contains("Node does not exist: /none")
          .contains("[zookeeper]\n");
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void nodesStayAfterTheClientButItsEphemeralsDoNot(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT)) {
      run(subject, List.of("create /a", "create -e /b"));
      assertThat(run(subject, List.of("ls /"))).contains("[a, zookeeper]\n");
    }
  }

  private static String run(Subject subject, List<String> commands)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ZooKeeperMain.class.getName(),
                "-server",
                subject.connectString())
            .redirectErrorStream(true)
            .start();
    try (var input = process.outputWriter(UTF_8)) {
      input.write(String.join("\n", commands) + "\nquit\n");
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.replace("\r\n", "\n");
  }
}
