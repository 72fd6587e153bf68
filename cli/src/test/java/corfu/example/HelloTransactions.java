package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.Isolation;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.util.Map;

public class HelloTransactions {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect();
        Corfu another = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);
      ReplicatedMap<String, Long> stock = objects.open("stock", MAP);
      ReplicatedMap<String, Long> sold = objects.open("sold", MAP);
      ReplicatedMap<String, Long> elsewhere = ReplicatedObjects.over(another).open("stock", MAP);
      stock.putAll(Map.of("pens", 10L, "books", 5L));
      Address morning = client.log().tail();

      // Tried again, a bounded number of times, if somebody else was first.
      long left =
          objects.transact(
              () -> {
                stock.put("pens", stock.get("pens") - 3);
                sold.merge("pens", 3L, Long::sum);
                return stock.get("pens"); // own changes are seen
              });
      System.out.println(left + " pens are left");

      // Begun and ended by hand: then losing is told.
      objects.txBegin();
      long books = stock.get("books");
      elsewhere.put("books", 1L);
      elsewhere.put("lamps", 7L); // another key: it would have been in nobody's way
      stock.put("books", books - 1);
      try {
        objects.txEnd();
      } catch (TransactionAbortedException lost) {
        var conflict = lost.conflict().orElseThrow();
        System.out.println("lost: " + conflict.name() + ", " + conflict.key().orElse("all of it"));
      }

      // Reads of one moment, of now or of then, never lose.
      long sum =
          objects.transact(
              TransactionOptions.READ_ONLY,
              () -> stock.getOrDefault("pens", 0L) + sold.getOrDefault("pens", 0L));
      boolean unsold = objects.transact(TransactionOptions.at(morning), sold::isEmpty);
      System.out.println(sum + " pens in all; none were sold in the morning: " + unsold);

      // A weaker promise: only what is changed must not have been changed by others.
      objects.transact(
          TransactionOptions.DEFAULT.with(Isolation.SNAPSHOT),
          () -> sold.fastPut("lamps", stock.get("lamps")));

      // All as it was, in one change; what happened since stays in the history.
      Address evening = client.log().tail();
      objects.rollBack(morning, stock, sold);
      System.out.println(stock.get("pens") + " pens, " + sold.size() + " things sold");
      System.out.println(objects.at(evening).open("sold", MAP).size() + " things, before that");
    }
  }
}
