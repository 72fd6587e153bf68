package corfu.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.cli.Main;
import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.nbd.NbdAddress;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.testing.ClientBytes;
import corfu.nbd.testing.RawClient;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.store.client.StoreClient;
import corfu.store.client.StoreClientException;
import corfu.store.client.StoreClientOptions;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of applications on a cluster that requires TLS and enforces permissions. */
@Timeout(300)
@SuppressWarnings("try") // a test may be interrupted while it closes a client
class TlsApplicationsTest {

  private static final int SESSION_TIMEOUT_MILLIS = 30_000;

  @TempDir private static Path directory;
  private static final RealWorld WORLD = new RealWorld();
  private static final List<Node> NODES = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    LocalCluster local = LocalCluster.at(home(), WORLD);
    local.create(2, 2, UnitMode.MEMORY);
    ClusterConfig config =
        local
            .secure(TlsMode.REQUIRED)
            .withSupervision(Supervision.DEFAULT.withAgent(false))
            .withAccess(
                new TrustedIdentities(
                    List.of(Subject.parse("spiffe://local/server/*")),
                    List.of(Subject.parse("spiffe://local/admin/*"))));
    Files.writeString(local.configFile(), config.toToml());
    config.servers().forEach(server -> NODES.add(Node.start(config, server.name())));
    Ran bootstrapped = Ran.corfu("layout", "bootstrap", "--config", local.configFile().toString());
    assertThat(bootstrapped.status()).as(bootstrapped.err()).isEqualTo(ExitCode.OK);
    Ran issued =
        Ran.corfu(
            "cert",
            "issue",
            "store",
            "--host",
            "127.0.0.1",
            "--service",
            "--dir",
            pki().toString());
    assertThat(issued.status()).as(issued.err()).isEqualTo(ExitCode.OK);
  }

  @AfterAll
  static void stop() {
    NODES.forEach(Node::close);
    WORLD.close();
  }

  private static Path home() {
    return directory.resolve("cluster");
  }

  private static Path pki() {
    return home().resolve("pki");
  }

  private static Path certificate(String name) {
    return pki().resolve("certificates").resolve(name + ".pem");
  }

  private static Ran corfu(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.addAll(List.of("--dir", home().toString()));
    return Ran.corfu(arguments.toArray(String[]::new));
  }

  private static void succeed(String... words) {
    Ran ran = corfu(words);
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(ExitCode.OK);
  }

  /** A process of a server of an application. */
  private static final class Serving implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    Serving(String... words) throws IOException {
      List<String> arguments = new ArrayList<>(List.of(words));
      arguments.addAll(List.of("--dir", home().toString()));
      process =
          JavaCommand.likeThisProcess(Main.class.getName())
              .with(arguments.toArray(String[]::new))
              .redirectError(directory.resolve(words[0] + ".err").toFile())
              .start();
      out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** Returns the rest of the first line that it prints, behind this beginning. */
    String announced(String begin) throws IOException {
      String line = out.readLine();
      assertThat(line).isNotNull().startsWith(begin);
      return line.substring(begin.length());
    }

    String commandLine() {
      return String.join(" ", process.info().commandLine().orElse(""));
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      out.close();
    }
  }

  @Test
  void theStoreServesBearersOfTokensByHttps() throws Exception {
    succeed("access", "grant", "spiffe://local/client/app", "read", "corfu.store/stock");
    String token =
        Ran.corfu("token", "issue", "--for", "spiffe://local/client/app", "--dir", pki().toString())
            .out()
            .strip();
    TlsOptions trust = TlsOptions.withoutCertificate(pki().resolve("ca.pem"));
    String keys = pki().resolve("token-keys.pem").toString();
    try (Serving store =
            new Serving(
                "store",
                "serve",
                "--name",
                "stock",
                "--port",
                "0",
                "--https-cert",
                certificate("store").toString(),
                "--token-keys",
                keys,
                "--token-name",
                "local");
        TlsCredentials credentials = TlsCredentials.open(WORLD, trust)) {
      URI uri = URI.create(store.announced("store stock is served at "));
      assertThat(uri.getScheme()).isEqualTo("https");
      StoreClientOptions options = StoreClientOptions.DEFAULT.withTls(credentials);
      try (StoreClient client = StoreClient.connect(uri, options.withToken(() -> token));
          StoreClient nobody = StoreClient.connect(uri, options)) {
        assertThat(client.get("pens")).isEmpty();
        assertThatThrownBy(() -> client.put("pens", new byte[1]))
            .isInstanceOf(StoreClientException.class)
            .hasMessageContaining("append corfu.store/stock");
        assertThatThrownBy(() -> nobody.get("pens")).hasMessageContaining("certificate or a token");
      }
      assertThat(Files.readString(directory.resolve("store.err")))
          .contains("TLS is required")
          .doesNotContain(token);
      assertThat(store.commandLine()).doesNotContain(token);
    }
  }

  @Test
  void zooKeeperIsServed() throws Exception {
    try (Serving server = new Serving("zookeeper", "serve", "--port", "0")) {
      String address = server.announced("namespace default is served at ");
      var connected = new CountDownLatch(1);
      try (ZooKeeper client =
          new ZooKeeper(
              address,
              SESSION_TIMEOUT_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              })) {
        connected.await();
        client.create(
            "/a", "x".getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(client.getData("/a", false, null)).isEqualTo("x".getBytes(UTF_8));
      }
    }
  }

  @Test
  void disksAreServed() throws Exception {
    succeed("disk", "create", "vm", "--size", "16M");
    try (Serving server = new Serving("disk", "serve", "--port", "0")) {
      Endpoint address = Endpoint.parse(server.announced("ready on "));
      try (RawClient client =
          RawClient.begin(new NbdAddress.Tcp(address.host(), address.port()), "vm")) {
        client.send(ClientBytes.write(1, 0, "written".getBytes(UTF_8)));
        assertThat(client.readSimple(1)).isZero();
        client.send(ClientBytes.request(NbdCommand.READ, 0, 2, 0, 7));
        assertThat(client.readSimple(2)).isZero();
        assertThat(client.read(7)).isEqualTo("written".getBytes(UTF_8));
      }
    }
  }

  @Test
  void fileSystemsAreShipped() {
    succeed("silver", "create", "one");
    Path archive = directory.resolve("one.tar.gz");
    succeed("silver", "ship", "one", archive.toString());
    succeed("silver", "receive", archive.toString(), "back");
    String server = NODES.getFirst().endpoint().toString();
    succeed("silver", "ship", "one", "--to-servers", server, "--as", "other");
    assertThat(corfu("silver", "list").out()).contains("one", "back", "other");
  }

  @Test
  void aServerOfAnotherTrustDomainIsRefused() {
    assertThat(corfu("tail", "--tls-trust-domain", "local").status()).isEqualTo(ExitCode.OK);
    Ran refused = corfu("tail", "--tls-trust-domain", "other", "--timeout", "2s");
    assertThat(refused.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(refused.err()).contains("not of the trust domain 'other'");
    assertThat(corfu("tail", "--tls-trust-domain", "A B").status()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void nobodyListensBeyondThisMachineWithoutTlsByAccident() {
    for (String[] words :
        new String[][] {
          {"store", "serve", "--listen", "0.0.0.0"},
          {"zookeeper", "serve", "--address", "0.0.0.0"},
          {"disk", "serve", "--host", "0.0.0.0"}
        }) {
      Ran ran = corfu(words);
      assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
      assertThat(ran.err()).contains("beyond this machine, without TLS", "--insecure-listen");
    }
    Ran wrong = corfu("store", "serve", "--listen", "0.0.0.0", "--insecure-listen", "yes");
    assertThat(wrong.status()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("anyone who reaches the port can read");
    Ran tokens = corfu("store", "serve", "--token-keys", "keys.pem", "--token-name", "local");
    assertThat(tokens.status()).isEqualTo(ExitCode.USAGE);
    assertThat(tokens.err()).contains("--https-cert");
  }
}
