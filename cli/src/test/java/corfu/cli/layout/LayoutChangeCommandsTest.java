package corfu.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.StatusWait;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that look at a cluster and change it. The servers are in this JVM; three of them are
 * layout servers and can be sequencers, the fourth is a spare.
 */
@Timeout(300)
class LayoutChangeCommandsTest {

  private static final String LINES = "a\nb\nc\nd\ne\nf\ng\nh\n";

  /** So that a busy machine does not make servers look dead. */
  private static final Supervision UNHURRIED =
      new Supervision(
          false, Duration.ofMillis(300), true, Duration.ofSeconds(3), Duration.ofMillis(500));

  @TempDir Path directory;
  private ClusterConfig config;
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  @BeforeEach
  void start() throws IOException {
    try (var world = new RealWorld()) {
      var local = LocalCluster.at(directory, world);
      config = local.create(4, 1, 2, UnitMode.MEMORY).withSupervision(UNHURRIED);
      Files.writeString(local.configFile(), config.toToml());
    }
    config.servers().forEach(server -> nodes.put(server.name(), start(server.name())));
    Bootstrap.bootstrap(config);
    Ran.corfuWith(LINES, "append", "--in-order", "--dir", directory.toString());
    awaitStatus(ExitCode.OK, "1 of 1 spares can be used");
  }

  private Node start(String name) {
    return Node.start(config, name);
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(Node::close);
  }

  private void kill(String name) {
    nodes.remove(name).close();
  }

  private Ran corfu(String line) {
    var all = new ArrayList<>(List.of(line.split(" ")));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfu(all.toArray(String[]::new));
  }

  private Ran done(String line) {
    var ran = corfu(line);
    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(corfu("read --all").out()).as("the log after " + line).isEqualTo(LINES);
    return ran;
  }

  private Ran awaitStatus(int code, String text) {
    return StatusWait.until(code, text, () -> corfu("status"));
  }

  private String rowOf(String server) {
    return corfu("status").lines().stream()
        .filter(line -> line.startsWith(server + " "))
        .findFirst()
        .orElse("");
  }

  @Test
  void aHealthyClusterSaysSoInOneLineAndShowsEveryServer() {
    var status = corfu("status");

    assertThat(status.lines().getFirst()).isEqualTo("healthy");
    assertThat(status.lines().get(1))
        .contains("3 of 3 log units", "2 of 2 copies", "1 of 1 spares can be used");
    assertThat(rowOf("n1")).contains(" up ", "sequencer, layout-server, log-unit");
    assertThat(rowOf("n2")).contains("sequencer (stands by)");
    assertThat(rowOf("n4")).contains("log-unit (spare)");
    String servers = config.servers().getFirst().listen().toString();
    assertThat(Ran.corfu("status", "--json", "--servers", servers).out())
        .startsWith("{\"verdict\":\"healthy\",")
        .contains("\"wantedUnits\":3", "\"usableSpares\":1", "\"sequencer\":\"serving\"");
  }

  @Test
  void aServerThatFailsIsReplacedByTheSpareAndNamedUntilItIsForgotten() {
    kill("n3");
    awaitStatus(ExitCode.DEGRADED, "n3 does not answer");
    awaitStatus(ExitCode.DEGRADED, "3 of 3 log units take appends; 2 of 2 copies");
    assertThat(rowOf("n3")).contains("silent ");
    String servers = config.servers().getFirst().listen().toString();
    assertThat(Ran.corfu("status", "--servers", servers).lines())
        .anyMatch(line -> line.startsWith("n3 ") && line.contains("silent "))
        .anyMatch(line -> line.contains("n3 does not answer"));

    var removed = done("layout remove n3");

    assertThat(removed.err()).contains("n3 is forgotten as log-unit, sequencer, layout-server");
    assertThat(awaitStatus(ExitCode.OK, "3 of 3 log units").lines().getFirst())
        .isEqualTo("healthy");
    assertThat(rowOf("n3")).contains("not in the layout");
  }

  @Test
  void aMajorityOfLayoutServersIsNeeded() {
    kill("n2");
    kill("n3");

    awaitStatus(ExitCode.UNAVAILABLE, "most of the layout servers n1, n2, n3 do not answer");
  }

  @Test
  void aServerThatLivesIsDrainedNotRemoved() {
    var refused = corfu("layout remove n2");
    assertThat(refused.status()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("n2 answers", "corfu layout drain");

    var drained = done("layout drain n2");

    assertThat(drained.err())
        .contains("n2 leaves", "appends go to 3 log units as before")
        .contains("it is still a sequencer", "it is still a layout-server");
    assertThat(rowOf("n2")).doesNotContain("log-unit");
    assertThat(rowOf("n4")).doesNotContain("spare");
    awaitStatus(ExitCode.OK, "3 of 3 log units take appends; 2 of 2 copies");
  }

  @Test
  void withoutSpareAClusterGetsSmallerAsLongAsThereAreEnoughForAllCopies() {
    done("layout drain n4");
    assertThat(done("layout drain n3").err())
        .contains("appends will go to 2 log units instead of 3");

    var refused = corfu("layout drain n2");

    assertThat(refused.status()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("too few for 2 copies", "add another one first");
  }

  @Test
  void anotherLogUnitMakesAppendsGoToMore() {
    var grown = done("layout add n4 --json");
    assertThat(grown.out()).startsWith("{\"done\":true,\"epoch\":");
    assertThat(done("layout add n4").out()).contains("appends go to n4 already");
    awaitStatus(ExitCode.OK, "4 of 4 log units take appends");
  }

  @Test
  void aSpareThatLeftMayComeBack() {
    done("layout drain n4");
    assertThat(rowOf("n4")).contains("not in the layout");
    assertThat(done("layout add n4 --spare").out()).contains("n4 is a spare that can be used");
  }

  @Test
  void oneLogUnitTakesThePlaceOfAnother() {
    var replaced = done("layout replace n2 n4");

    assertThat(replaced.out()).contains("n4 has replaced n2");
    assertThat(rowOf("n2")).doesNotContain("log-unit");
    awaitStatus(ExitCode.OK, "3 of 3 log units take appends; 2 of 2 copies");
    assertThat(corfu("layout replace n1 n3").err()).contains("n3 holds a part of the log already");
  }

  @Test
  void layoutServersAndSequencersComeAndGo() {
    assertThat(corfu("layout add n4 --role layout-server").err())
        .contains("cannot be a layout-server", "log-unit");
    done("layout drain n1 --role layout-server");
    assertThat(rowOf("n1")).doesNotContain("layout-server");
    assertThat(done("layout add n1 --role layout-server").err())
        .contains("n1 will be one of 3 layout servers, of which 1 may fail");
    assertThat(rowOf("n1")).contains("layout-server").doesNotContain("does not vote");

    done("layout drain n1 --role sequencer");
    assertThat(rowOf("n2")).contains("sequencer,");
    done("layout add n1 --role sequencer");
    assertThat(rowOf("n1")).contains("sequencer (stands by)");
    awaitStatus(ExitCode.OK, "");
  }

  @Test
  void aSequencerThatDiedWithoutStandbyIsSucceededByOneThatIsAdded() {
    List.of("n2", "n3", "n4").forEach(name -> done("layout drain " + name + " --role sequencer"));
    awaitStatus(ExitCode.DEGRADED, "n1 is the only sequencer candidate");
    kill("n1");

    assertThat(corfu("layout add n4 --role sequencer").status()).isEqualTo(ExitCode.OK);

    assertThat(Ran.corfuWith("i\n", "append", "--dir", directory.toString()).lines())
        .containsExactly("8");
    assertThat(rowOf("n4")).contains("sequencer,");
  }

  @Test
  void aRenewedLayoutServesInTheNextEpoch() {
    long epoch = epoch();
    done("layout renew");
    assertThat(epoch()).isGreaterThan(epoch);
  }

  private long epoch() {
    String json = corfu("status --json").out();
    return Long.parseLong(json.replaceAll("(?s)^.*?\"epoch\":(\\d+).*$", "$1"));
  }

  @Test
  void aServerThatIsNotThereIsNamedWithWhatToDo() {
    var ran = corfu("layout drain n9");
    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("no server is called 'n9'", "n1, n2, n3, n4");
    assertThat(corfu("layout drain 127.0.0.1:1").err()).contains("is not in the layout");
  }

  @Test
  void watchingLooksAgainUntilNobodyReadsAnyMore() {
    var out = new ClosesAfter(3);
    var none = new ByteArrayInputStream(new byte[0]);
    var terminal = new Terminal(none, out, new ByteArrayOutputStream(), () -> false);

    int status = Ran.on(terminal, "status", "--watch", "--json", "--dir", directory.toString());

    assertThat(status).isEqualTo(ExitCode.OUTPUT_CLOSED);
    assertThat(out.toString().lines())
        .hasSize(3)
        .allMatch(line -> line.contains("\"verdict\":\"healthy\""));
  }

  /** Takes so many pieces, and then no more. */
  private static final class ClosesAfter extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private int left;

    private ClosesAfter(int pieces) {
      left = pieces;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException("pieces only");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (left == 0) {
        throw new IOException("Broken pipe");
      }
      left--;
      taken.write(bytes, offset, length);
    }

    @Override
    public String toString() {
      return taken.toString(StandardCharsets.UTF_8);
    }
  }
}
