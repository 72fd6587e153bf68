package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.host.HostOptions;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.Corfu;

public class HelloRemoteViews {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder().nodes(3).replicas(2).views(HostOptions.DEFAULT).start();
        Corfu client = cluster.connect();
        Corfu another = cluster.connect()) {
      ReplicatedMap<String, Long> stock = ReplicatedObjects.over(another).open("stock", MAP);
      stock.put("pens", 10L);
      Address morning = client.log().tail();

      ReplicatedObjects objects = ReplicatedObjects.over(client);
      RemoteObjects remote = objects.remote(); // these are played by servers
      ReplicatedMap<String, Long> there = remote.open("stock", MAP);
      System.out.println(there.get("pens") + " pens"); // nothing was played here
      System.out.println(there.put("pens", 7L) + " before"); // appended here, carried out there

      objects.transact(() -> there.put("books", there.get("pens") + 1));
      System.out.println(stock.get("books") + " books");
      System.out.println(remote.at(morning).open("stock", MAP).get("pens") + " in the morning");
    }
  }
}
