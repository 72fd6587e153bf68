package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.PolicyCommand;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.gate.TrustedIdentities;
import corfu.node.local.FreePorts;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.pki.CertificateAuthority;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.Streams;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server closes the connections of an identity that has too many, and no others. */
@Timeout(120)
class TlsQuotasTest {

  private static final long NO = Quota.NO_LIMIT;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Identity ADMINISTRATOR = new Identity("spiffe://local/admin/admin");
  private static final TrustedIdentities TRUSTED =
      new TrustedIdentities(
          List.of(Subject.parse("spiffe://local/server/*")),
          List.of(Subject.parse(ADMINISTRATOR.name())));

  @TempDir private Path directory;
  private final RealWorld world = new RealWorld();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Corfu> clients = new ArrayList<>();
  private ClusterConfig config =
      ClusterConfig.local(Path.of(""), 1, 1, 1, UnitMode.MEMORY); // replaced below

  @BeforeEach
  void start() {
    int port = FreePorts.consecutive(1, world.random());
    ClusterSecurity security = LoopbackAuthority.prepare(pki(), List.of("n1"), world);
    CertificateAuthority authority = CertificateAuthority.open(pki(), world);
    authority.issueClient("alice");
    authority.issueClient("bob");
    config =
        ClusterConfig.local(directory, port, 1, 1, UnitMode.MEMORY)
            .withSecurity(security)
            .withAccess(TRUSTED);
    nodes.add(Node.start(config, "n1"));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    clients.forEach(Corfu::close);
    nodes.forEach(Node::close);
    world.close();
  }

  private Path pki() {
    return directory.resolve("pki");
  }

  private Corfu connect(TlsOptions tls, Duration timeout) {
    Corfu corfu =
        Corfu.connect(
            CorfuOptions.of(config.endpoints()).withTls(tls).withOperationTimeout(timeout));
    clients.add(corfu);
    return corfu;
  }

  private Corfu connectAs(String name, Duration timeout) {
    Path file = pki().resolve("certificates").resolve(name + ".pem");
    return connect(TlsOptions.mutual(file, file, pki().resolve("ca.pem")), timeout);
  }

  private static void append(Corfu corfu, String stream) {
    Streams.over(corfu).open(stream).append(new byte[1]);
  }

  @Test
  void connectionsAreLimitedForEachIdentity() {
    AccessControl control =
        AccessControl.over(connect(config.security().ofCommands(), PATIENCE), ADMINISTRATOR);
    for (String name : List.of("alice", "bob")) {
      Subject subject = Subject.parse("spiffe://local/client/" + name);
      control.grant(new Grant(subject, Permission.APPEND, new Target.Named(name)));
    }
    Quota four = new Quota(NO, NO, NO, NO, NO, 4);
    control.change(new PolicyCommand.SetQuota(Subject.parse("spiffe://local/client/alice"), four));
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();

    append(connectAs("alice", PATIENCE), "alice");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 4; i++) {
                append(connectAs("alice", Duration.ofSeconds(1)), "alice");
              }
            })
        .isInstanceOf(CorfuException.class)
        .hasMessageContaining("has 4 connections to this server, which its quota allows");
    append(connectAs("bob", PATIENCE), "bob");
    assertThat(control.quotas().totals().getFirst().connections()).isEqualTo(4);

    clients.removeLast().close(); // bob
    clients.removeLast().close(); // those without a connection
    clients.remove(1).close(); // alice's first one
    append(connectAs("alice", PATIENCE), "alice");
  }
}
