package corfu.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.access.AccessControl;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Byte arrays of a tenant that has permissions on streams whose names begin alike. */
@Timeout(120)
class TenantBytesTest {

  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity SHOP = new Identity("spiffe://test/shop");
  private static final Identity BANK = new Identity("spiffe://test/bank");

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder().nodes(3).replicas(2).access(ADMIN.name()).start();

  @BeforeEach
  void grant() {
    AccessControl control = AccessControl.over(cluster.connect(ADMIN), ADMIN);
    for (Permission permission : List.of(Permission.READ, Permission.APPEND, Permission.TRIM)) {
      control.grant(new Grant(new Subject.Exact(SHOP), permission, Target.parse("orders/*")));
      control.grant(new Grant(new Subject.Exact(BANK), permission, Target.parse("billing/*")));
    }
    assertThat(control.awaitEnforced(Duration.ofSeconds(20))).isEmpty();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private VersionedBytes open(Identity identity) {
    return BytesStore.over(cluster.connect(identity)).open("orders/image");
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void anArrayItsCheckpointsAndItsWritersBelongToTheTenantByTheArraysName() {
    VersionedBytes image = open(SHOP);
    image.write(0, utf8("first"));
    image.checkpoint();
    var unused = ArrayWriter.takeOver(image, utf8("a mount"));

    assertThat(UTF_8.decode(open(SHOP).read(0, 10)).toString()).isEqualTo("first");
    assertThat(ArrayWriter.owner(open(SHOP))).isPresent();
    assertThatThrownBy(() -> open(BANK).read(0, 10)).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> open(BANK).write(0, utf8("forged")))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> ArrayWriter.takeOver(open(BANK), utf8("thief")))
        .isInstanceOf(AccessDeniedException.class);
  }
}
