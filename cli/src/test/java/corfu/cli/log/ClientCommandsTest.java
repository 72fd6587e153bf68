package corfu.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.AbandonedTokens;
import corfu.cli.Ran;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against servers over TCP; the servers are in this JVM. */
class ClientCommandsTest {

  /** Nobody dies here, and a busy machine is not to make it look as if. */
  private static final Supervision CALM = Supervision.DEFAULT.withAgent(false);

  @TempDir Path directory;
  private ClusterConfig config;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world).create(2, 2, UnitMode.MEMORY).withSupervision(CALM);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  private Ran corfu(String... arguments) {
    return corfuWith("", arguments);
  }

  private Ran corfuWith(String input, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  @Test
  void aTextIsOneEntry() {
    assertThat(corfu("append", "one\ntwo").lines()).containsExactly("0");
    assertThat(corfu("read", "0").out()).isEqualTo("one\ntwo\n");

    Ran both = corfu("append", "text", "--binary");
    assertThat(both.status()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("either a TEXT, or --file or --binary");
  }

  @Test
  void theEnvironmentNamesTheClusterWhereTheCommandLineDoesNot() {
    System.setProperty("CORFU_DIR", directory.toString());
    try {
      assertThat(Ran.corfuWith("", "append", "hello").lines()).containsExactly("0");
      Ran elsewhere = Ran.corfuWith("", "tail", "--servers", "127.0.0.1:1", "--timeout", "1s");
      assertThat(elsewhere.status()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(elsewhere.err()).contains("127.0.0.1:1");
    } finally {
      System.clearProperty("CORFU_DIR");
    }
  }

  @Test
  void linesBecomeEntriesAndEntriesLines() {
    assertThat(corfuWith("one\n\nthree", "append").lines()).containsExactly("0", "1", "2");
    assertThat(corfu("read", "--all").out()).isEqualTo("one\n\nthree\n");
    assertThat(corfu("read", "2").out()).isEqualTo("three\n");
    assertThat(corfu("read", "--from", "1", "--to", "3", "--addresses").lines())
        .containsExactly("1\t", "2\tthree");
    assertThat(corfu("tail").out()).isEqualTo("3\n");
  }

  @Test
  void aFileIsAppendedByNameAndServersByAddress() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a\nb\n");
    String servers = config.servers().getFirst().listen().toString();

    var ran = Ran.corfu("append", "--file", file.toString(), "--json", "--servers", servers);

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).containsExactly("{\"address\":0}", "{\"address\":1}");
  }

  @Test
  void aTerminalShowsBytesThatAreNotTextInHexAndAPipeGetsThem() {
    byte[] bytes = {-1, 0, 27};
    Ran.corfuWith(bytes, "append", "--binary", "--dir", directory.toString());
    corfu("append", "text");
    corfu("append", "\u001b[2J"); // clears the screen of a terminal that obeys it
    String dir = directory.toString();

    Ran shown = Ran.corfuOnTerminal(80, "read", "--all", "--addresses", "--dir", dir);
    assertThat(shown.lines())
        .containsExactly("0\t(3 bytes: ff 00 1b)", "1\ttext", "2\t(4 bytes: 1b 5b 32 4a)");
    assertThat(shown.err()).contains("--binary writes their bytes").hasLineCount(1);
    assertThat(Ran.corfuOnTerminal(80, "read", "1", "--dir", dir).err()).isEmpty();
    assertThat(Ran.corfuOnTerminal(80, "read", "0", "--binary", "--dir", dir).bytes())
        .isEqualTo(bytes);
    assertThat(Ran.corfuOnTerminal(80, "read", "0", "--json", "--dir", dir).out())
        .isEqualTo("{\"address\":0,\"base64\":\"/wAb\"}\n");

    assertThat(corfu("read", "0").bytes()).isEqualTo(new byte[] {-1, 0, 27, 10});
    assertThat(corfu("read", "0").err()).isEmpty();
  }

  @Test
  void aLimitEndsEachListing() {
    corfuWith("a\nb\nc\nd\n", "append");

    assertThat(corfu("read", "--limit", "2").lines()).containsExactly("a", "b");
    assertThat(corfu("read", "--all", "--limit", "3").lines()).containsExactly("a", "b", "c");
    assertThat(corfu("read", "--from", "1", "--limit", "2").lines()).containsExactly("b", "c");
    assertThat(corfu("read", "--to", "1", "--limit", "9").lines()).containsExactly("a");
    corfu("trim", "--before", "2");
    assertThat(corfu("read", "--limit", "1").lines()).containsExactly("c");
  }

  @Test
  void scriptsAreToldWhatEachAddressHolds() {
    corfuWith("\u00fc \"quoted\" \t\n", "append");
    Ran.corfuWith(new byte[] {-1, 0}, "append", "--dir", directory.toString());
    AbandonedTokens.takeOne(config);
    corfu("fill", "2");
    corfuWith("x\nlast\n", "append", "--in-order");
    corfu("trim", "3");

    assertThat(corfu("read", "--all", "--json").lines())
        .containsExactly(
            "{\"address\":0,\"data\":\"\u00fc \\\"quoted\\\" \\t\"}",
            "{\"address\":1,\"base64\":\"/wA=\"}",
            "{\"address\":2,\"hole\":true}",
            "{\"address\":3,\"trimmed\":true}",
            "{\"address\":4,\"data\":\"last\"}");
  }

  @Test
  void whatWasTrimmedIsNotThereAnyMore() {
    corfuWith("a\nb\nc\nd\n", "append");
    assertThat(corfu("trim", "--before", "2", "--json").out()).isEqualTo("{\"trimmedBefore\":2}\n");
    assertThat(corfu("trim", "3").status()).isEqualTo(ExitCode.OK);

    var one = corfu("read", "3");
    assertThat(one.status()).isEqualTo(ExitCode.TRIMMED);
    assertThat(one.out()).isEmpty();
    assertThat(one.err()).contains("address 3 has been trimmed");
    assertThat(corfu("read", "--all", "--json").lines())
        .containsExactly("{\"address\":2,\"data\":\"c\"}", "{\"address\":3,\"trimmed\":true}");
    assertThat(corfu("read", "--all").out()).isEqualTo("c\n");
  }

  @Test
  void behindTheTailNothingIsWrittenYet() {
    var ran = corfu("read", "17", "--json");

    assertThat(ran.status()).isEqualTo(ExitCode.UNWRITTEN);
    assertThat(ran.out()).isEqualTo("{\"address\":17,\"unwritten\":true}\n");
    assertThat(corfu("read", "--from", "17", "--to", "99").out()).isEmpty();
    assertThat(corfu("read", "--all").err()).isEqualTo("corfu: the log is empty\n");
  }

  @Test
  void aRangeWithoutEntriesIsExplained() {
    corfuWith("a\nb\n", "append");

    var backwards = corfu("read", "--from", "5", "--to", "2");
    assertThat(backwards.status()).isEqualTo(ExitCode.OK);
    assertThat(backwards.err()).contains("--to 2 is not above --from 5");
    assertThat(corfu("read", "--from", "5").err()).contains("the log ends before 2");
  }

  @Test
  void behindTheTailNothingIsTrimmedOrFilled() {
    corfuWith("a\n", "append");

    for (var command :
        List.of(List.of("trim", "--before", "9"), List.of("trim", "9"), List.of("fill", "9"))) {
      var ran = corfu(command.toArray(String[]::new));
      assertThat(ran.status()).isEqualTo(ExitCode.UNWRITTEN);
      assertThat(ran.err()).contains("address 9").contains("tail 1");
    }
    assertThat(corfuWith("b\n", "append").out()).isEqualTo("1\n");
  }

  @Test
  void aHoleIsFilledOnceAndForAll() {
    AbandonedTokens.takeOne(config);
    assertThat(corfu("fill", "0", "--json").out()).isEqualTo("{\"address\":0,\"hole\":true}\n");
    assertThat(corfu("read", "0").status()).isEqualTo(ExitCode.OK);
    assertThat(corfu("read", "0").err()).contains("address 0 is a hole");
  }

  @Test
  void bytesGoInAndComeOutUnchanged() {
    byte[] bytes = {10, 0, -1, 13, 10};
    Ran.corfuWith(bytes, "append", "--binary", "--dir", directory.toString());

    assertThat(corfu("read", "0", "--binary").bytes()).isEqualTo(bytes);
  }

  @Test
  void anEntryThatIsTooLargeIsRefusedBeforeAnythingIsSent() {
    byte[] tooLarge = new byte[config.limits().maxPayloadBytes() + 1];

    var ran = Ran.corfuWith(tooLarge, "append", "--binary", "--dir", directory.toString());

    assertThat(ran.status()).isEqualTo(ExitCode.TOO_LARGE);
    assertThat(corfu("tail").out()).isEqualTo("0\n");
  }

  @Test
  void followPrintsWhatThereIs() {
    corfuWith("a\nb\nc\n", "append");

    assertThat(corfu("follow", "--from", "1", "--limit", "2").out()).isEqualTo("b\nc\n");
  }

  @Test
  void anotherClusterIsRefused() {
    var ran = corfu("tail", "--cluster", "00000000-0000-0000-0000-000000000001");

    assertThat(ran.status()).isEqualTo(ExitCode.WRONG_CLUSTER);
    assertThat(ran.err()).contains("00000000-0000-0000-0000-000000000001");
  }

  @Test
  void aServerThatNobodyHasBootstrappedSaysWhatToDo() {
    try (var world = new RealWorld()) {
      var fresh = LocalCluster.at(directory.resolve("fresh"), world);
      var freshConfig = fresh.create(1, 1, UnitMode.MEMORY);
      try (var node = Node.start(freshConfig, freshConfig.servers().getFirst().name())) {
        var ran = Ran.corfu("tail", "--servers", node.endpoint().toString());

        assertThat(ran.status()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(ran.err()).contains("bootstrap");
        assertThat(ran.err().lines()).hasSizeLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  void aServerThatRunsAlreadyIsRefusedWithTheReason() {
    String file = directory.resolve(LocalCluster.CONFIG).toString();
    var running = config.servers().getFirst();

    var ran = Ran.corfu("server", "--config", file, "--name", running.name());

    assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.err())
        .contains(running.listen().toString())
        .doesNotContain("unexpected", "Exception");
    assertThat(ran.err().lines()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void bootstrappingTwiceChangesNothing() {
    String config = directory.resolve(LocalCluster.CONFIG).toString();
    var layout = corfu("layout", "show", "--json").out();

    assertThat(Ran.corfu("layout", "bootstrap", "--json", "--config", config).out())
        .isEqualTo(layout);
    assertThat(layout).startsWith("{\"clusterId\":").endsWith("}\n");
    assertThat(corfu("layout", "show").lines()).hasSizeGreaterThan(3);
  }

  @Test
  void aBootstrapThatTimedOutSaysThatItCanBeRepeated() {
    Path fresh = directory.resolve("fresh");
    ClusterConfig two;
    try (var world = new RealWorld()) {
      two = LocalCluster.at(fresh, world).create(2, 2, UnitMode.MEMORY);
    }
    String[] command = {
      "layout", "bootstrap", "--timeout", "3s", "--config", fresh + "/" + LocalCluster.CONFIG
    };
    nodes.add(Node.start(two, "n1"));

    var ran = Ran.corfu(command);

    assertThat(ran.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(ran.err())
        .contains(two.server("n2").listen() + ": connection refused")
        .contains("run this again: that is safe");
    nodes.add(Node.start(two, "n2"));
    command[3] = "60s";
    assertThat(Ran.corfu(command).status()).isEqualTo(ExitCode.OK);
  }

  @Test
  void nobodyReadingAnyMoreEndsACommandQuietly() {
    corfuWith("a\n".repeat(50_000), "append");
    var err = new ByteArrayOutputStream();
    var terminal =
        new Terminal(new ByteArrayInputStream(new byte[0]), new ClosedPipe(), err, () -> false);

    int status = Ran.on(terminal, "read", "--all", "--dir", directory.toString());

    assertThat(status).isEqualTo(ExitCode.OUTPUT_CLOSED);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static final class ClosedPipe extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }
}
