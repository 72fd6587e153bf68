package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import corfu.objects.composed.ComposedObject;
import corfu.objects.composed.ComposedTree;
import corfu.objects.composed.ComposedTreeType;
import corfu.protocol.Address;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Composed objects whose parts are played by servers. */
class RemoteComposedTest extends OnRemoteViews {

  private static final ComposedMapType<String, Long> COMPOSED =
      ComposedMap.of(String.class, Long.class).withBuckets(2).withBucketSize(4);

  private static final ComposedTreeType<Long, Long> TREE =
      ComposedTree.of(Long.class, Long.class).withNodes(4, 4);

  static class Ledger extends ComposedObject {
    private ReplicatedMap<String, Long> part(String name) {
      return part(name, MAP);
    }

    @TransactionalMethod
    public void move(String key, long amount) {
      part("from").merge(key, -amount, Long::sum);
      part("to").merge(key, amount, Long::sum);
    }

    @TransactionalMethod(readOnly = true)
    public long sum(String key) {
      return part("from").getOrDefault(key, 0L) + part("to").getOrDefault(key, 0L);
    }

    @TransactionalMethod(readOnly = true)
    public long moved(String key) {
      return part("to").getOrDefault(key, 0L);
    }
  }

  private int hosted() {
    return hosts.standing("n1").map(ViewHost.Standing::objects).orElse(0);
  }

  private Address tail() {
    return cluster.connect().log().tail();
  }

  @Test
  void aMapsBucketsArePlayedByServersAndItGrows() {
    ComposedMap<String, Long> far = remote().open("stock", COMPOSED);
    ComposedMap<String, Long> near = client().open("stock", COMPOSED);

    for (long i = 0; i < 40; i++) {
      assertThat(far.put("key " + i, i)).isNull();
    }
    assertThat(hosted()).isGreaterThan(1);
    assertThat(far.put("key 7", 70L)).isEqualTo(7);
    far.fastPut("key 8", 80L);
    far.merge("key 9", 1L, Long::sum);
    far.addBucket();

    assertThat(near).hasSize(40).containsEntry("key 7", 70L).containsEntry("key 9", 10L);
    assertThat(far.size()).isEqualTo(40);
    assertThat(far.get("key 8")).isEqualTo(80);
    assertThat(Map.copyOf(far)).isEqualTo(Map.copyOf(near));
    near.clear();
    assertThat(far.isEmpty()).isTrue();
    assertThat(far.get("key 8")).isNull();
  }

  @Test
  void aMapsPastIsShownAsItWas() {
    RemoteObjects remote = remote();
    ComposedMap<String, Long> map = remote.open("stock", COMPOSED);
    map.put("pens", 1L);
    Address then = tail();
    map.put("pens", 2L);
    map.addBucket();
    map.put("books", 3L);

    ComposedMap<String, Long> past = remote.at(then).open("stock", COMPOSED);
    assertThat(Map.copyOf(past)).isEqualTo(Map.of("pens", 1L));
    assertThatThrownBy(() -> past.put("pens", 4L))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aTransactionReadsAndChangesRemoteMapsTogetherWithOthers() {
    ReplicatedObjects objects = client();
    ComposedMap<String, Long> far = objects.remote(HOSTS_ONLY).open("stock", COMPOSED);
    ReplicatedMap<String, Long> near = objects.open("moved", MAP);
    far.put("pens", 10L);

    objects.transact(
        () -> {
          far.put("pens", far.get("pens") - 3);
          near.put("pens", 3L);
          assertThat(far.get("pens")).isEqualTo(7);
        });
    assertThat(far.get("pens") + near.get("pens")).isEqualTo(10);

    ComposedMap<String, Long> others = client().open("stock", COMPOSED);
    objects.txBegin();
    long read = far.get("pens");
    others.put("pens", 1L);
    far.put("books", read);
    assertThatThrownBy(objects::txEnd).isInstanceOf(TransactionAbortedException.class);
    assertThat(others).containsOnlyKeys("pens");
  }

  @Test
  void aTreesLeavesArePlayedByServers() {
    ComposedTree<Long, Long> far = remote().open("events", TREE);
    for (long i = 0; i < 60; i++) {
      far.put(i, i * i);
    }
    ComposedTree<Long, Long> near = client().open("events", TREE);

    assertThat(far.subMap(10L, true, 20L, false)).isEqualTo(near.subMap(10L, true, 20L, false));
    assertThat(far.lastEntry()).isEqualTo(Map.entry(59L, 59L * 59));
    assertThat(far.size()).isEqualTo(60);
    assertThat(far.remove(5L)).isEqualTo(25);
    assertThat(near.get(5L)).isNull();
    assertThat(hosted()).isGreaterThan(1);
  }

  @Test
  void onesOwnComposedObjectsMayBeRemote() {
    RemoteObjects remote = remote();
    Ledger far = remote.open("ledger", Ledger.class);
    far.move("a", 5);
    Address then = tail();
    far.move("a", 2);

    assertThat(far.sum("a")).isZero();
    assertThat(far.moved("a")).isEqualTo(7);
    assertThat(client().open("ledger", Ledger.class).moved("a")).isEqualTo(7);
    assertThat(remote.at(then).open("ledger", Ledger.class).moved("a")).isEqualTo(5);
  }
}
