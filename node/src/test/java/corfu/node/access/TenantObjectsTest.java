package corfu.node.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.access.AccessControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects of a tenant that has permissions on streams whose names begin alike, and no others. */
@Timeout(120)
class TenantObjectsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
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
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ReplicatedObjects objectsOf(Identity identity) {
    return ReplicatedObjects.over(cluster.connect(identity));
  }

  @Test
  void aMapAndItsCheckpointsBelongToTheTenantByTheMapsName() {
    ReplicatedObjects shop = objectsOf(SHOP);
    var type = ReplicatedMap.of(String.class, Long.class);
    ReplicatedMap<String, Long> stock = shop.open("orders/stock", type);
    stock.put("pen", 1L);
    shop.checkpoint(stock);
    stock.put("pen", 2L);

    assertThat(objectsOf(SHOP).open("orders/stock", type)).containsEntry("pen", 2L);
    ReplicatedMap<String, Long> theirs = objectsOf(BANK).open("orders/stock", type);
    assertThatThrownBy(() -> theirs.get("pen")).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> theirs.put("pen", 3L)).isInstanceOf(AccessDeniedException.class);
    assertThat(stock).containsEntry("pen", 2L);
  }

  @Test
  void thePartsOfAComposedMapBelongToTheTenantByTheMapsName() {
    var type = ComposedMap.of(String.class, Long.class).withBuckets(2).withBucketSize(4);
    ComposedMap<String, Long> stock = objectsOf(SHOP).open("orders/map", type);
    for (long i = 0; i < 20; i++) {
      stock.put("thing " + i, i);
    }
    stock.addBucket();

    ComposedMap<String, Long> again = objectsOf(SHOP).open("orders/map", type);
    assertThat(again).hasSize(20).containsEntry("thing 7", 7L);
    ComposedMap<String, Long> theirs = objectsOf(BANK).open("orders/map", type);
    assertThatThrownBy(() -> theirs.get("thing 7")).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(theirs::size).isInstanceOf(AccessDeniedException.class);
  }

  /** The name of a part has the id of its map, so nobody gets a part by the name of another map. */
  @Test
  void aPartOfAnotherTenantIsNotReachedUnderANameOfOnesOwn() {
    var type = ReplicatedMap.of(String.class, Long.class);
    var composed = ComposedMap.of(String.class, Long.class).withBuckets(2);
    ComposedMap<String, Long> stock = objectsOf(SHOP).open("orders/map", composed);
    stock.put("pen", 1L);
    String part = StreamId.named("orders/map") + "/bucket 0";

    ReplicatedMap<String, Long> named = objectsOf(BANK).open(part, type);

    assertThatThrownBy(() -> named.size()).isInstanceOf(AccessDeniedException.class);
  }
}
