package corfu.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.StatusWait;
import corfu.cli.command.ExitCode;
import corfu.node.ClusterConfig;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, really killed. */
@Timeout(400)
class LocalClusterCommandsTest {

  @TempDir Path directory;

  @AfterEach
  void stop() {
    corfu("cluster", "stop");
  }

  @Test
  void whatWasAcknowledgedSurvivesKillingAllServersAndKillingOne() throws IOException {
    assertThat(corfu("cluster", "start", "--nodes", "3", "--replicas", "2").status())
        .isEqualTo(ExitCode.OK);
    var expected = new TreeMap<Long, String>();
    append(expected, "before");

    var all = servers();
    assertThat(all).hasSize(3);
    all.forEach(LocalClusterCommandsTest::kill);
    assertThat(started()).containsExactly("n1", "n2", "n3");
    append(expected, "between");

    kill(process(directory.resolve("n2.pid")));
    assertThat(started()).containsExactly("n2");
    append(expected, "after");

    assertThat(readAll()).isEqualTo(expected);
    assertThat(started()).isEmpty();
    var status = corfu("cluster", "status", "--json");
    assertThat(status.status()).isIn(ExitCode.OK, ExitCode.DEGRADED);
    assertThat(status.out().split("\"answers\":true", -1)).hasSize(4);

    assertThat(corfu("cluster", "stop", "--json").lines())
        .hasSize(3)
        .allMatch(line -> line.contains("\"stopped\":true"));
    assertThat(servers()).isEmpty();
    var stopped = corfu("status");
    assertThat(stopped.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(stopped.lines().getFirst()).isEqualTo("unavailable: no server runs");
    assertThat(stopped.lines()).hasSize(4);
  }

  @Test
  void theOthersGoOnWithoutAServerThatIsKilledAndTakeItBack() throws IOException {
    assertThat(
            corfu("cluster", "start", "--nodes", "4", "--spares", "1", "--replicas", "2").status())
        .isEqualTo(ExitCode.OK);
    var expected = new TreeMap<Long, String>();
    append(expected, "before");

    var killed = corfu("cluster", "kill", "n3", "--json");
    assertThat(killed.lines()).singleElement().asString().contains("\"killed\":true");
    append(expected, "without");
    awaitStatus(ExitCode.DEGRADED, "n3 does not answer");

    var restarted = corfu("cluster", "restart", "n3", "--json");
    assertThat(restarted.lines()).singleElement().asString().contains("\"started\":true");
    awaitStatus(ExitCode.OK, "");
    assertThat(readAll()).isEqualTo(expected);

    var added = corfu("cluster", "add");
    assertThat(added.lines().getLast()).contains("corfu layout add n5");
    var joined = corfu("layout", "add", "n5", "--timeout", "60s");
    assertThat(joined.err()).contains("appends will go to 4 log units instead of 3");
    assertThat(joined.status()).isEqualTo(ExitCode.OK);
    append(expected, "wider");
    assertThat(readAll()).isEqualTo(expected);
  }

  @Test
  void aNameThatNoServerHasKillsNobody() {
    try (var world = new RealWorld()) {
      LocalCluster.at(directory, world).create(2, 1, UnitMode.MEMORY);
    }

    var ran = corfu("cluster", "kill", "n1", "n9");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("n9", "n1, n2");
  }

  private void awaitStatus(int code, String text) {
    StatusWait.until(code, text, () -> corfu("status"));
  }

  @Test
  void aServerThatEndsAtOnceIsReportedWithItsLastWords() throws IOException {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config = LocalCluster.at(directory, world).create(1, 1, UnitMode.MEMORY);
    }
    int port = config.servers().getFirst().listen().port();

    try (var squatter = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      var ran = corfu("cluster", "start");

      assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err())
          .contains("server n1 ended at once", "127.0.0.1:" + squatter.getLocalPort());
    }
  }

  @Test
  void anExistingClusterKeepsItsSize() {
    try (var world = new RealWorld()) {
      LocalCluster.at(directory, world).create(2, 1, UnitMode.MEMORY);
    }

    var ran = corfu("cluster", "start", "--nodes", "3");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("2 nodes with 0 spares and 1 replicas in memory mode");
  }

  /** Checks that each acknowledged line is at its address. */
  private void append(SortedMap<Long, String> expected, String word) {
    List<String> lines = IntStream.range(0, 2000).mapToObj(i -> word + " " + i).toList();
    var ran =
        Ran.corfuWith(
            String.join("\n", lines),
            "append",
            "--json",
            "--timeout",
            "60s",
            "--dir",
            directory.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).hasSize(2000);
    for (int i = 0; i < 2000; i++) {
      assertThat(expected.put(addressIn(ran.lines().get(i)), lines.get(i))).isNull();
    }
  }

  private SortedMap<Long, String> readAll() {
    var all = new TreeMap<Long, String>();
    for (String line : corfu("read", "--all", "--json").lines()) {
      if (line.contains("\"data\"")) {
        all.put(addressIn(line), line.replaceAll("^.*\"data\":\"(.*)\"}$", "$1"));
      }
    }
    return all;
  }

  private static long addressIn(String json) {
    return Long.parseLong(json.replaceAll("^.*\"address\":(\\d+).*$", "$1"));
  }

  /** Starts what does not run; the names of what was started. */
  private List<String> started() {
    var ran = corfu("cluster", "start", "--json");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    return ran.lines().stream()
        .filter(line -> line.contains("\"started\":true"))
        .map(line -> line.replaceAll(".*\"server\":\"(\\w+)\".*", "$1"))
        .toList();
  }

  private List<ProcessHandle> servers() throws IOException {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".pid"))
          .map(LocalClusterCommandsTest::process)
          .toList();
    }
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  private static ProcessHandle process(Path pidFile) {
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Ran corfu(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfu(all.toArray(String[]::new));
  }
}
