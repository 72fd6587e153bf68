package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.local.FreePorts;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.pki.CertificateAuthority;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.runtime.cluster.SteadyAppends;
import corfu.transport.tls.TlsException;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on TCP with certificates of an authority in a directory. */
@Timeout(120)
class TlsClusterTest {

  private static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final RealWorld world = new RealWorld();
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private ClusterConfig config =
      ClusterConfig.local(Path.of(""), 1, 1, 1, UnitMode.MEMORY); // replaced below

  @BeforeEach
  void configure() {
    int port = FreePorts.consecutive(NAMES.size(), world.random());
    config =
        ClusterConfig.local(directory, port, NAMES.size(), 2, UnitMode.DURABLE)
            .withSecurity(LoopbackAuthority.prepare(pki(), NAMES, world));
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(Node::close);
    world.close();
  }

  private Path pki() {
    return directory.resolve("pki");
  }

  private void start(String name) {
    nodes.put(name, Node.start(config, name));
  }

  private void startAll() {
    NAMES.forEach(this::start);
    Bootstrap.bootstrap(config);
  }

  private CorfuOptions options(TlsOptions tls) {
    return CorfuOptions.of(config.endpoints()).withTls(tls);
  }

  private Corfu connect(TlsOptions tls) {
    return Corfu.connect(options(tls).withOperationTimeout(PATIENCE));
  }

  @Test
  void serversAndClientsWithCertificatesShareALog() {
    startAll();
    try (Corfu corfu = connect(config.security().ofCommands())) {
      Address address = corfu.log().append("over TLS".getBytes(UTF_8));
      assertThat(textAt(address, corfu)).isEqualTo("over TLS");
    }
  }

  @Test
  void aClientWithoutACertificateIsRefused() {
    startAll();
    TlsOptions anonymous = TlsOptions.withoutCertificate(pki().resolve("ca.pem"));
    Duration soon = Duration.ofSeconds(2);

    assertThatThrownBy(() -> Corfu.connect(options(anonymous).withOperationTimeout(soon)))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("certificate");
    assertThatThrownBy(() -> Corfu.connect(options(TlsOptions.OFF).withOperationTimeout(soon)))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void aServerWhoseKeyOthersMayReadDoesNotStart() throws IOException {
    Path key = pki().resolve("certificates/n1.pem");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> Node.start(config, "n1"))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining(key.toString())
        .hasMessageContaining("chmod");
  }

  @Test
  void aServerBeyondLoopbackDoesNotStartWithoutTls() {
    ServerConfig one = config.server("n1");
    ServerConfig open =
        new ServerConfig(
            "n1", new Endpoint("0.0.0.0", one.listen().port()), one.directory(), one.roles());
    ClusterConfig plain = config.withServers(1, List.of(open)).withSecurity(ClusterSecurity.NONE);

    assertThatThrownBy(() -> Node.start(plain, "n1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("insecure-listen")
        .hasMessageContaining("docs/security.md");
  }

  @Test
  void aRunningClusterMovesToRequiredTlsWithoutAFailedAppend() throws Exception {
    ClusterSecurity required = config.security();
    config = config.withSecurity(required.withMode(TlsMode.OFF));
    startAll();
    TlsOptions client = required.ofCommands().withMode(TlsMode.OPTIONAL);
    try (Corfu corfu = connect(client);
        SteadyAppends appends = new SteadyAppends(corfu)) {
      appends.awaitMore();
      for (TlsMode mode : List.of(TlsMode.OPTIONAL, TlsMode.REQUIRED)) {
        config = config.withSecurity(required.withMode(mode));
        for (String name : NAMES) {
          nodes.get(name).close();
          start(name);
          Bootstrap.bootstrap(config);
          appends.awaitMore();
        }
      }
      assertThat(appends.failures()).isEmpty();
    }
  }

  @Test
  void allCertificatesAreRenewedUnderLoadWithoutAFailedAppend() throws Exception {
    startAll();
    try (Corfu corfu = connect(config.security().ofCommands());
        SteadyAppends appends = new SteadyAppends(corfu)) {
      appends.awaitMore();
      CertificateAuthority authority = CertificateAuthority.open(pki(), world);
      for (var issued : authority.issued()) {
        var unused = authority.renew(issued.name());
      }
      appends.awaitMore();
      try (Corfu fresh = connect(config.security().ofCommands())) {
        fresh.log().append("after".getBytes(UTF_8));
      }
      appends.awaitMore();
      assertThat(appends.failures()).isEmpty();
    }
  }

  private static String textAt(Address address, Corfu corfu) {
    return corfu.log().read(address) instanceof LogEntry.Data data ? data.text() : "no data";
  }
}
