package corfu.node.access;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.PolicyOutcome;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log may be trimmed over the entries of the permissions. */
@Timeout(120)
class PolicyTrimTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity ALICE = new Identity("spiffe://test/alice");

  @TempDir private Path directory;

  private static Grant grant(Permission permission, String stream) {
    return new Grant(new Subject.Exact(ALICE), permission, Target.parse(stream));
  }

  @Test
  void serversThatStartAfterATrimOfTheLogKnowThePermissions() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .nodes(3)
            .replicas(2)
            .directory(directory)
            .access(ADMIN.name())
            .start()) {
      trimAndRestart(cluster);
    }
  }

  private static void trimAndRestart(EmbeddedCluster cluster) {
    Corfu admin = cluster.connect(ADMIN);
    AccessControl control = AccessControl.over(admin, ADMIN);
    control.grant(grant(Permission.APPEND, "orders/*"));
    control.grant(grant(Permission.READ, "orders/*"));
    control.grant(grant(Permission.READ, "letters"));
    control.revoke(grant(Permission.READ, "letters"));
    Streams.over(admin).open("letters").append("secret".getBytes(UTF_8));
    Address end = admin.log().tail();

    admin.log().prefixTrim(end);

    assertThat(admin.log().tail()).isGreaterThan(end); // the permissions are there again
    for (Endpoint server : admin.layout().servers()) {
      cluster.kill(cluster.nameOf(server));
      cluster.restart(cluster.nameOf(server));
      eventually(() -> assertThat(control.awaitEnforced(PATIENCE)).isEmpty());
    }
    AccessControl late = AccessControl.over(cluster.connect(ADMIN), ADMIN);
    assertThat(late.policy().grants())
        .containsExactly(grant(Permission.APPEND, "orders/*"), grant(Permission.READ, "orders/*"));
    LogStream orders = Streams.over(cluster.connect(ALICE)).open("orders/books");
    orders.append("a book".getBytes(UTF_8));
    LogStream letters = Streams.over(cluster.connect(ALICE)).open("letters");
    assertThatThrownBy(letters::tail).isInstanceOf(AccessDeniedException.class);
    assertThat(late.revoke(grant(Permission.APPEND, "orders/*")))
        .isInstanceOf(PolicyOutcome.Changed.class);
    assertThat(late.awaitEnforced(PATIENCE)).isEmpty();
    assertThatThrownBy(() -> orders.append("another".getBytes(UTF_8)))
        .isInstanceOf(AccessDeniedException.class);
  }
}
