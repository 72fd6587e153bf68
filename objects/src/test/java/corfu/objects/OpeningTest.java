package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import corfu.objects.composed.ComposedTree;
import corfu.objects.host.HostNeighbors;
import corfu.objects.host.HostOptions;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.RoleCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of requests for opening many objects. */
@Timeout(180)
class OpeningTest {

  private static final int BUCKETS = 300;

  private static final ComposedMapType<String, Integer> MAP =
      ComposedMap.of(String.class, Integer.class)
          .withBuckets(BUCKETS)
          .withBucketSize(Integer.MAX_VALUE);

  private static RoleCluster cluster(int streamReplicas) {
    return RoleCluster.builder()
        .nodes(2)
        .replicas(1)
        .streamReplicas(streamReplicas)
        .neighbor(new HostNeighbors(HostOptions.DEFAULT))
        .start();
  }

  /** Puts one entry into nearly every bucket. */
  private static Map<String, Integer> fill(ComposedMap<String, Integer> map) {
    Map<String, Integer> model = new HashMap<>();
    IntStream.range(0, BUCKETS).forEach(i -> model.put("key " + i, i));
    model.forEach(map::fastPut);
    return model;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void allBucketsOfAMapAreOpenedWithFewRequests(int streamReplicas) {
    try (RoleCluster cluster = cluster(streamReplicas);
        Corfu writer = cluster.connect()) {
      Map<String, Integer> model = fill(ReplicatedObjects.over(writer).open("map", MAP));
      CountingTransport counting = new CountingTransport(cluster.transport());
      try (Corfu fresh = Corfu.connect(cluster.clientOptions(), cluster.world(), counting)) {
        ComposedMap<String, Integer> map = ReplicatedObjects.over(fresh).open("map", MAP);

        long requests = counting.requestsOf(() -> assertThat(map.size()).isEqualTo(BUCKETS));

        assertThat(requests).isLessThan(BUCKETS / 2);
        assertThat(map).isEqualTo(model);
      }
    }
  }

  @Test
  void whatIsInCheckpointsOrForgottenIsFoundAllTheSame() {
    try (RoleCluster cluster = cluster(0);
        Corfu writer = cluster.connect();
        Corfu fresh = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(writer);
      ComposedMap<String, Integer> map = objects.open("map", MAP);
      Map<String, Integer> model = fill(map);
      for (int i = 0; i < BUCKETS; i += 3) {
        Object bucket = Parts.of(map).open("0/" + i, ReplicatedMap.of(String.class, Integer.class));
        Address of = objects.checkpoint(bucket);
        if (i % 2 == 0) {
          assertThat(objects.forget(bucket, of)).contains(of);
        }
      }
      map.put("key 7", -7);
      model.put("key 7", -7);

      assertThat(ReplicatedObjects.over(fresh).open("map", MAP)).isEqualTo(model);
    }
  }

  @Test
  void soAreTheLeavesOfATree() {
    try (RoleCluster cluster = cluster(0);
        Corfu writer = cluster.connect()) {
      var type = ComposedTree.of(String.class, Integer.class).withNodes(4, 16);
      ComposedTree<String, Integer> tree = ReplicatedObjects.over(writer).open("tree", type);
      for (int i = 0; i < BUCKETS; i++) {
        tree.fastPut("key %03d".formatted(i), i);
      }
      try (Corfu fresh = cluster.connect()) {
        ComposedTree<String, Integer> anew = ReplicatedObjects.over(fresh).open("tree", type);

        assertThat(anew.size()).isEqualTo(BUCKETS);
        assertThat(anew).isEqualTo(tree);
      }
    }
  }

  @Test
  void noHostIsAskedForBucketsToWhichNothingHasHappened() {
    try (RoleCluster cluster = cluster(1);
        Corfu writer = cluster.connect()) {
      ComposedMap<String, Integer> map = ReplicatedObjects.over(writer).open("map", MAP);
      var unused = fill(map);
      CountingTransport counting = new CountingTransport(cluster.transport());
      try (Corfu fresh = Corfu.connect(cluster.clientOptions(), cluster.world(), counting)) {
        ReplicatedObjects objects = ReplicatedObjects.over(fresh);
        ComposedMap<String, Integer> there = objects.remote().open("map", MAP);
        assertThat(there.size()).isEqualTo(BUCKETS);

        long requests =
            counting.requestsOf(
                () -> {
                  there.clear();
                  assertThat(there.size()).isZero();
                });

        assertThat(requests).isLessThan(30);
        Object bucket = Parts.of(there).open("1/0", ReplicatedMap.of(String.class, Integer.class));
        assertThat(ObjectInvoker.viewOf(bucket).playedBefore()).isEmpty();
        objects.transact(
            () -> {
              assertThat(there.size()).isZero();
              there.fastPut("a", 1);
              assertThat(there.get("a")).isEqualTo(1);
              assertThat(there.size()).isEqualTo(1);
            });
        assertThat(there.size()).isEqualTo(1);
        map.put("b", 2);
        assertThat(there.size()).isEqualTo(2);
        assertThat(there).isEqualTo(Map.of("a", 1, "b", 2));
      }
    }
  }
}
