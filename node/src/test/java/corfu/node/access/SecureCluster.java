package corfu.node.access;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.pki.CertificateAuthority;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three servers with certificates and permissions, in this process, behind real sockets. */
final class SecureCluster implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final Identity ADMINISTRATOR = new Identity("spiffe://local/admin/admin");
  private static final List<String> NAMES = List.of("n1", "n2", "n3");

  private final RealWorld world = new RealWorld();
  private final List<Node> nodes = new ArrayList<>();
  private final Path pki;
  final ClusterConfig config;
  final Corfu administrator;
  final AccessControl control;

  /**
   * @param directory the directory of the servers and of the authority
   * @param mode the mode of TLS of the servers and of the administrator
   * @param clients whether clients with TLS need certificates
   */
  SecureCluster(Path directory, TlsMode mode, ClientCertificates clients) {
    pki = directory.resolve("pki");
    ClusterSecurity made = LoopbackAuthority.prepare(pki, NAMES, world);
    ClusterSecurity security =
        new ClusterSecurity(
            made.servers().withMode(mode).withClients(clients), made.command(), false);
    int port = FreePorts.consecutive(NAMES.size(), world.random());
    config =
        ClusterConfig.local(directory, port, NAMES.size(), 2, UnitMode.MEMORY)
            .withSecurity(security)
            .withAccess(LoopbackAuthority.trusted());
    NAMES.forEach(name -> nodes.add(Node.start(config, name)));
    Bootstrap.bootstrap(config);
    administrator = connect(security.ofCommands());
    control = AccessControl.over(administrator, ADMINISTRATOR);
  }

  Path authorities() {
    return pki.resolve("ca.pem");
  }

  /** Issues a certificate of a client, and returns the TLS with it. */
  TlsOptions issue(String name) {
    CertificateAuthority.open(pki, world).issueClient(name);
    Path file = pki.resolve("certificates").resolve(name + ".pem");
    return TlsOptions.mutual(file, file, authorities());
  }

  Corfu connect(TlsOptions tls) {
    return Corfu.connect(
        CorfuOptions.of(config.endpoints()).withTls(tls).withOperationTimeout(PATIENCE));
  }

  /** Gives permissions, in the words of the command, and waits until all servers enforce them. */
  void grant(String... grants) {
    for (String text : grants) {
      control.grant(parse(text));
    }
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
  }

  private static Grant parse(String text) {
    String[] words = text.split(" ", 3);
    Permission permission = Permission.parse(words[1]);
    Target target = words.length > 2 ? Target.parse(words[2]) : Target.whole(permission);
    return new Grant(Subject.parse(words[0]), permission, target);
  }

  static List<String> texts(LogStream stream) {
    var reader = stream.reader();
    var unused = reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }

  @Override
  public void close() {
    administrator.close();
    nodes.forEach(Node::close);
    world.close();
  }
}
