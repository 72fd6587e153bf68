package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.Index;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedIndexedMap;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;

public class HelloCollections {

  record User(String name, String city, List<String> teams) {}

  static final ObjectType<ReplicatedIndexedMap<String, User>> USERS =
      ReplicatedIndexedMap.of(
          String.class,
          User.class,
          Index.of("city", (id, user) -> user.city()),
          Index.ofMany("team", (id, user) -> user.teams()));

  static final ObjectType<ReplicatedRangeMap<Long, String>> EVENTS =
      ReplicatedRangeMap.partitioned(Long.class, String.class, time -> time / 3600);

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);
      maps(objects);
      indexes(objects);
      ranges(objects);
      sequences(objects);
      values(objects);
      transactions(objects);
    }
  }

  static void maps(ReplicatedObjects objects) {
    ReplicatedMap<String, Long> stock =
        objects.open("stock", ReplicatedMap.of(String.class, Long.class));
    stock.put("pen", 10L); // gives what was there before
    stock.fastPut("book", 3L); // does not wait to learn that
    stock.merge("pen", -1L, Long::sum); // runs here, in a transaction
    System.out.println(stock.get("pen") + " pens, " + stock.size() + " things");

    Set<String> tags = objects.open("tags", ReplicatedSet.of(String.class));
    tags.add("new");
    System.out.println("added again: " + tags.add("new"));
  }

  static void indexes(ReplicatedObjects objects) {
    ReplicatedIndexedMap<String, User> users = objects.open("users", USERS);
    users.put("u1", new User("Ann", "Paris", List.of("red", "blue")));
    users.put("u2", new User("Bob", "Rome", List.of("blue")));
    System.out.println("in Rome: " + users.byIndex("city", "Rome").keySet());
    System.out.println("blue: " + users.byIndex("team", "blue").size());

    Map<String, User> plain = objects.open("users", ReplicatedMap.of(String.class, User.class));
    plain.remove("u2"); // the same stream
    System.out.println("in Rome: " + users.byIndex("city", "Rome").keySet());
  }

  static void ranges(ReplicatedObjects objects) {
    NavigableMap<Long, String> events = objects.open("events", EVENTS);
    events.putAll(Map.of(3_000L, "began", 5_000L, "went on", 9_000L, "ended"));
    System.out.println(events.subMap(4_000L, 10_000L) + " after " + events.floorEntry(4_000L));
  }

  static void sequences(ReplicatedObjects objects) {
    List<String> list = objects.open("jobs", ReplicatedList.of(String.class));
    Queue<String> queue = objects.open("jobs", ReplicatedQueue.of(String.class));
    ReplicatedStack<String> stack = objects.open("jobs", ReplicatedStack.of(String.class));
    list.addAll(List.of("wash", "cut", "cook", "serve"));
    queue.add("eat");
    System.out.println("first: " + queue.poll() + ", last: " + stack.pop().orElse("nothing"));
    System.out.println("left: " + list);
  }

  static void values(ReplicatedObjects objects) {
    ReplicatedRegister<String> leader = objects.open("leader", ReplicatedRegister.of(String.class));
    System.out.println("leads: " + leader.setIfEmpty("node 1") + ", " + leader.get().orElse(""));

    ReplicatedCounter visits = objects.open("visits", ReplicatedCounter.type());
    visits.increment(); // reads nothing, so it never stands in anybody's way
    System.out.println("visit " + visits.incrementAndGet());
  }

  static void transactions(ReplicatedObjects objects) {
    Queue<String> queue = objects.open("jobs", ReplicatedQueue.of(String.class));
    Set<String> done = objects.open("done", ReplicatedSet.of(String.class));
    objects.transact(
        () -> {
          String job = queue.poll(); // whatever others add meanwhile does not matter
          if (job != null) {
            done.add(job);
          }
        });
    System.out.println("done: " + done + ", left: " + queue);
  }
}
