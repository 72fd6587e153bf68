package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.audit.AuditEvent;
import corfu.access.gate.TrustedIdentities;
import corfu.node.local.FreePorts;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.pki.CertificateAuthority;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.access.AccessControl;
import corfu.runtime.access.AuditLog;
import corfu.runtime.access.AuditLogEvent;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates prove the names of two tenants, and the policy in the log keeps them apart. */
@Timeout(120)
class TlsPermissionsTest {

  private static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Identity ADMINISTRATOR = new Identity("spiffe://local/admin/admin");
  private static final TrustedIdentities TRUSTED =
      new TrustedIdentities(
          List.of(Subject.parse("spiffe://local/server/*")),
          List.of(Subject.parse(ADMINISTRATOR.name())));

  @TempDir private Path directory;
  private final RealWorld world = new RealWorld();
  private final List<Node> nodes = new ArrayList<>();
  private ClusterConfig config =
      ClusterConfig.local(Path.of(""), 1, 1, 1, UnitMode.MEMORY); // replaced below

  @BeforeEach
  void start() {
    int port = FreePorts.consecutive(NAMES.size(), world.random());
    ClusterSecurity security = LoopbackAuthority.prepare(pki(), NAMES, world);
    CertificateAuthority authority = CertificateAuthority.open(pki(), world);
    authority.issueClient("alice");
    authority.issueClient("bob");
    config =
        ClusterConfig.local(directory, port, NAMES.size(), 2, UnitMode.MEMORY)
            .withSecurity(security)
            .withAccess(TRUSTED);
    NAMES.forEach(name -> nodes.add(Node.start(config, name)));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
    world.close();
  }

  private Path pki() {
    return directory.resolve("pki");
  }

  private Corfu connect(TlsOptions tls) {
    return Corfu.connect(
        CorfuOptions.of(config.endpoints()).withTls(tls).withOperationTimeout(PATIENCE));
  }

  private Corfu connectAs(String name) {
    Path file = pki().resolve("certificates").resolve(name + ".pem");
    return connect(TlsOptions.mutual(file, file, pki().resolve("ca.pem")));
  }

  private static Grant grant(String name, Permission permission, String streams) {
    return new Grant(
        Subject.parse("spiffe://local/client/" + name), permission, Target.parse(streams));
  }

  private static List<String> texts(LogStream stream) {
    var reader = stream.reader();
    reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }

  @Test
  void twoTenantsShareALogAndDoNotSeeEachOther() {
    try (Corfu administrator = connect(config.security().ofCommands())) {
      AccessControl control = AccessControl.over(administrator, ADMINISTRATOR);
      control.grant(grant("alice", Permission.APPEND, "orders/*"));
      control.grant(grant("alice", Permission.READ, "orders/*"));
      control.grant(grant("bob", Permission.APPEND, "letters"));
      control.grant(grant("bob", Permission.READ, "letters"));
      assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
      useTheLog(control);
      assertAudited(AuditLog.over(administrator));
    }
  }

  /** The names in the audit log are those of certificates, and nothing secret is there. */
  private static void assertAudited(AuditLog audit) {
    eventually(
        () ->
            assertThat(audit.newest(Integer.MAX_VALUE, event -> true, audit.end()))
                .extracting(AuditLogEvent::event)
                .anyMatch(event -> isRefused(event, "bob", Permission.APPEND))
                .anyMatch(event -> isRefused(event, "bob", Permission.READ))
                .anyMatch(event -> isRefused(event, "alice", Permission.APPEND_LOG))
                .anyMatch(
                    event ->
                        event.identity().equals(ADMINISTRATOR)
                            && event.detail().contains(": revoke spiffe://local/client/alice"))
                .noneMatch(event -> event.toString().contains("PRIVATE KEY")));
    assertThat(audit.verify(Optional.empty()).breaks()).isEmpty();
  }

  private static boolean isRefused(AuditEvent event, String client, Permission what) {
    return event.kind() == AuditEvent.Kind.REFUSED
        && event.identity().name().equals("spiffe://local/client/" + client)
        && event.origin().startsWith("127.0.0.1")
        && event.permission().equals(Optional.of(what));
  }

  private void useTheLog(AccessControl control) {
    try (Corfu alice = connectAs("alice");
        Corfu bob = connectAs("bob")) {
      LogStream orders = Streams.over(alice).open("orders/books");
      orders.append("one book".getBytes(UTF_8));
      LogStream letters = Streams.over(bob).open("letters");
      letters.append("dear Alice".getBytes(UTF_8));
      assertThat(texts(orders)).containsExactly("one book");
      assertThat(texts(letters)).containsExactly("dear Alice");

      assertThatThrownBy(() -> Streams.over(bob).open("orders/books").append(new byte[1]))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("spiffe://local/client/bob")
          .hasMessageContaining("append");
      assertThatThrownBy(() -> texts(Streams.over(bob).open("orders/books")))
          .isInstanceOf(AccessDeniedException.class);
      assertThatThrownBy(() -> alice.log().append(new byte[1]))
          .isInstanceOf(AccessDeniedException.class);

      control.revoke(grant("alice", Permission.APPEND, "orders/*"));
      assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
      assertThatThrownBy(() -> orders.append(new byte[1]))
          .isInstanceOf(AccessDeniedException.class);
      assertThat(texts(orders)).containsExactly("one book");
    }
  }
}
