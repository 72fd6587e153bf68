package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.local.FreePorts;
import corfu.protocol.Address;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.transport.WrongClusterException;
import corfu.world.DiskException;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers over TCP, as their operators see them. */
final class NodeTest {

  /** The time in which a server restarts, even on a busy machine. */
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private final List<Node> nodes = new ArrayList<>();

  private ClusterConfig config(int servers, UnitMode mode) {
    return ClusterConfig.local(directory, freePorts(servers), servers, servers, mode);
  }

  /** Returns the first of them. */
  private static int freePorts(int count) {
    try (RealWorld world = new RealWorld()) {
      return FreePorts.consecutive(count, world.random());
    }
  }

  private Node start(ClusterConfig config, String name) {
    Node node = Node.start(config, name);
    nodes.add(node);
    return node;
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  @Test
  void aClusterOverTcpServesItsClients() {
    ClusterConfig config = config(2, UnitMode.DURABLE);
    start(config, "n1");
    start(config, "n2");
    Layout layout = Bootstrap.bootstrap(config);

    try (Corfu corfu =
        Corfu.connect(CorfuOptions.of(config.endpoints()).withCluster(layout.clusterId()))) {
      Address address = corfu.log().append("hello".getBytes(UTF_8));
      assertThat(corfu.log().read(address)).hasToString(corfu.log().read(address).toString());
      assertThat(corfu.log().tail()).isEqualTo(address.plus(1));
    }
  }

  @Test
  void aClientConnectsByOneString() {
    ClusterConfig config = config(2, UnitMode.MEMORY);
    start(config, "n1");
    start(config, "n2");
    Bootstrap.bootstrap(config);
    String servers =
        config.endpoints().stream().map(Endpoint::toString).collect(Collectors.joining(","));

    try (Corfu one = Corfu.connect(servers);
        Corfu other =
            Corfu.connect(
                servers, options -> options.withOperationTimeout(Duration.ofSeconds(20)))) {
      Address address = one.log().append("hello".getBytes(UTF_8));
      assertThat(other.log().read(address))
          .isInstanceOfSatisfying(
              LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo("hello"));
    }
  }

  @Test
  void serversThatRestartTogetherServeAgainWithWhatTheyHeld() {
    ClusterConfig config = config(2, UnitMode.DURABLE);
    start(config, "n1");
    start(config, "n2");
    Bootstrap.bootstrap(config);
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(config.endpoints()))) {
      corfu.log().append("hello".getBytes(UTF_8));
      nodes.forEach(Node::close);
      nodes.clear();
      start(config, "n2");
      start(config, "n1");

      Address again = corfu.log().append("again".getBytes(UTF_8));
      assertThat(corfu.log().read(again)).isInstanceOf(LogEntry.Data.class);
      assertThat(corfu.log().read(Address.ZERO))
          .isInstanceOfSatisfying(
              LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo("hello"));
    }
  }

  @Test
  void aSequencerWithAServerOfItsOwnServesAgainAfterItRestarted() {
    ClusterConfig both = config(2, UnitMode.DURABLE);
    ServerConfig first = both.server("n1");
    ServerConfig second = both.server("n2");
    ClusterConfig config =
        both.withServers(
            1,
            List.of(
                new ServerConfig(
                    "seq", first.listen(), first.directory(), Set.of(RoleKind.SEQUENCER)),
                new ServerConfig(
                    "unit",
                    second.listen(),
                    second.directory(),
                    Set.of(RoleKind.LAYOUT_SERVER, RoleKind.LOG_UNIT))));
    start(config, "unit");
    Node sequencer = start(config, "seq");
    Bootstrap.bootstrap(config);
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(config.endpoints()))) {
      corfu.log().append("a".getBytes(UTF_8));
      sequencer.close();
      nodes.remove(sequencer);
      start(config, "seq");

      Address address = corfu.log().append("b".getBytes(UTF_8));
      assertThat(corfu.log().read(address)).isInstanceOf(LogEntry.Data.class);
    }
  }

  @Test
  void withoutAnAgentALogUnitThatRestartsAloneIsWaitedFor() {
    ClusterConfig config =
        config(2, UnitMode.DURABLE).withSupervision(Supervision.DEFAULT.withAgent(false));
    start(config, "n1");
    Node second = start(config, "n2");
    Bootstrap.bootstrap(config);
    CorfuOptions options = CorfuOptions.of(config.endpoints()).withOperationTimeout(LONG);
    try (Corfu corfu = Corfu.connect(options.withReconfigureAfter(LONG))) {
      corfu.log().append("a".getBytes(UTF_8));
      second.close();
      nodes.remove(second);
      var append = corfu.log().appendAsync("b".getBytes(UTF_8));
      start(config, "n2");

      assertThat(append.join()).isEqualTo(new Address(1));
    }
  }

  @Test
  void aNodeThatIsClosedTwiceIsClosed() {
    ClusterConfig config = config(1, UnitMode.DURABLE);
    Node node = start(config, "n1");

    node.close();
    node.close();

    start(config, "n1"); // its port and its directory are free
  }

  @Test
  void aLogUnitThatLostItsDirectoryIsNotTakenBackAsIfItHadHeldNothing() throws IOException {
    ClusterConfig config = config(2, UnitMode.DURABLE);
    start(config, "n1");
    Node second = start(config, "n2");
    Bootstrap.bootstrap(config);
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(config.endpoints()))) {
      corfu.log().append("a".getBytes(UTF_8));
      second.close();
      nodes.remove(second);
      deleteAll(config.server("n2").directory());
      start(config, "n2");

      Address address = corfu.log().append("b".getBytes(UTF_8));
      assertThat(corfu.log().read(address)).isInstanceOf(LogEntry.Data.class);
      assertThat(corfu.layout().chainOf(0).replicas()).containsExactly(first(config));
      assertThat(corfu.log().read(Address.ZERO)).isInstanceOf(LogEntry.Data.class);
    }
  }

  private static Endpoint first(ClusterConfig config) {
    return config.endpoints().getFirst();
  }

  private static void deleteAll(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void serversWithoutALayoutSayHowToBootstrapThem() {
    ClusterConfig config = config(1, UnitMode.MEMORY);
    start(config, "n1");

    assertThatThrownBy(() -> Corfu.connect(CorfuOptions.of(config.endpoints())))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("corfu layout bootstrap");
  }

  @Test
  void whereNobodyListensTheAddressIsNamed() {
    ClusterConfig config = config(1, UnitMode.MEMORY);

    assertThatThrownBy(() -> Corfu.connect(CorfuOptions.of(config.endpoints())))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(config.endpoints().getFirst().toString());
  }

  @Test
  void aClientOfAnotherClusterIsTurnedAway() {
    ClusterConfig config = config(1, UnitMode.MEMORY);
    start(config, "n1");
    Layout layout = Bootstrap.bootstrap(config);
    ClusterId other = new ClusterId(new UUID(1, 2));

    assertThatThrownBy(() -> Corfu.connect(CorfuOptions.of(config.endpoints()).withCluster(other)))
        .isInstanceOf(WrongClusterException.class)
        .hasMessageContaining(layout.clusterId().toString())
        .hasMessageContaining(other.toString());
  }

  @Test
  void aSecondServerOnTheSameDirectoryIsRefused() {
    ClusterConfig config = config(1, UnitMode.DURABLE);
    start(config, "n1");
    ServerConfig first = config.server("n1");
    ServerConfig twin =
        new ServerConfig(
            "n1", new Endpoint("127.0.0.1", freePorts(1)), first.directory(), first.roles());
    ClusterConfig second = config.withServers(1, List.of(twin));

    assertThatThrownBy(() -> start(second, "n1"))
        .isInstanceOf(DiskException.class)
        .hasMessageContaining("in use");
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    ClusterConfig config = config(1, UnitMode.MEMORY);
    start(config, "n1");

    assertThatThrownBy(() -> start(config, "n1"))
        .hasMessageContaining(config.endpoints().getFirst().toString());
  }
}
