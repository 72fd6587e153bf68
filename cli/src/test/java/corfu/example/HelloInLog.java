package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.serial.InLog;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.util.List;
import java.util.TreeMap;

public class HelloInLog {

  /** An object of one's own: what is declared as InLog is not in memory. */
  static class Album {
    private TreeMap<String, InLog<byte[]>> pictures = new TreeMap<>();

    @Mutator
    public void add(String name, InLog<byte[]> picture) {
      pictures.put(name, picture);
    }

    @Accessor // returns where it is; the caller reads it
    public InLog<byte[]> picture(String name) {
      return pictures.get(name);
    }
  }

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);
      ReplicatedMap<String, InLog<String>> pages =
          objects.open("pages", ReplicatedMap.inLog(String.class, String.class));
      pages.put("front", InLog.of("a long text"));
      pages.put("back", InLog.of("another one"));
      System.out.println(pages.get("front").get()); // read from the log

      Address before = client.log().tail();
      pages.put("front", InLog.of("a new text"));
      List<String> all = InLog.getAll(pages.values()); // entries are fetched together
      System.out.println(all.size() + " pages");
      ReplicatedMap<String, InLog<String>> then =
          objects.at(before).open("pages", ReplicatedMap.inLog(String.class, String.class));
      System.out.println("it was " + then.get("front").get());

      Album album = objects.open("album", Album.class);
      album.add("cat", InLog.of(new byte[100_000]));
      System.out.println("a cat of " + album.picture("cat").get().length + " bytes");
    }
  }
}
