package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.Parts;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedObject;
import corfu.objects.composed.ComposedTree;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.util.Map;

public class HelloComposed {

  // Figure 5.5 of the paper: a map whose keys are spread over a fixed number of maps.
  static class CsmrMap extends ComposedObject {
    private static final int BUCKETS = 8;
    private static final ObjectType<ReplicatedMap<String, Long>> BUCKET =
        ReplicatedMap.of(String.class, Long.class);

    private ReplicatedMap<String, Long> bucket(int number) {
      return part("bucket " + number, BUCKET); // the same name is the same part, for everybody
    }

    private ReplicatedMap<String, Long> bucketOf(String key) {
      return bucket(Math.floorMod(key.hashCode(), BUCKETS));
    }

    @TransactionalMethod(readOnly = true)
    public long get(String key) {
      return bucketOf(key).getOrDefault(key, 0L);
    }

    @TransactionalMethod // atomic, whatever parts it touches
    public void move(String from, String to, long amount) {
      bucketOf(from).merge(from, -amount, Long::sum);
      bucketOf(to).merge(to, amount, Long::sum);
    }

    @TransactionalMethod(readOnly = true) // all buckets at one moment
    public int size() {
      int total = 0;
      for (int i = 0; i < BUCKETS; i++) {
        total += bucket(i).size();
      }
      return total;
    }

    @TransactionalMethod
    public void clear() {
      for (int i = 0; i < BUCKETS; i++) {
        bucket(i).clear();
      }
    }
  }

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);

      // The one that is there already: it grows while it is used.
      ComposedMap<String, Long> stock =
          objects.open("stock", ComposedMap.of(String.class, Long.class).withBuckets(4));
      stock.put("pen", 10L); // gives what was there before
      stock.fastPut("book", 3L); // does not wait to learn that
      stock.merge("pen", -1L, Long::sum);
      Address then = client.log().tail();
      stock.addBucket(); // clients do so by themselves when buckets are full
      stock.clear();
      System.out.println(stock.buckets() + " buckets, " + stock.size() + " things");
      Map<String, Long> past =
          objects.at(then).open("stock", ComposedMap.of(String.class, Long.class));
      System.out.println("there were " + past.get("pen") + " pens");

      // A tree: sorted, with ranges, of as many nodes as it needs.
      ComposedTree<Long, String> events =
          objects.open("events", ComposedTree.of(Long.class, String.class));
      events.putAll(Map.of(3_000L, "began", 5_000L, "went on", 9_000L, "ended"));
      System.out.println(events.subMap(4_000L, true, 9_000L, false) + ", " + events.lastEntry());

      // One's own.
      CsmrMap accounts = objects.open("accounts", CsmrMap.class);
      accounts.move("alice", "bob", 5);
      System.out.println(accounts.get("bob") + ", " + accounts.size() + " accounts");
      CsmrMap before = objects.at(then).open("accounts", CsmrMap.class);
      System.out.println("before: " + before.size());
      System.out.println(Parts.of(accounts).idOf("bucket 3") + " is the stream of a part");
    }
  }
}
