package corfu.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;

public class HelloLog {
  public static void main(String[] arguments) {
    // A cluster inside this JVM. To reach a remote one: Corfu.connect("host:9000,host2:9000")
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      Log log = client.log();

      Address hello = log.append("hello".getBytes(UTF_8)); // returns when it is on both replicas
      log.appendAsync("world".getBytes(UTF_8)).join(); // the same without waiting, until join

      for (LogEntry entry : log.read(hello, log.tail())) {
        switch (entry) {
          case LogEntry.Data data -> System.out.println(data.address() + ": " + data.text());
          case LogEntry.Hole hole -> System.out.println(hole.address() + ": its writer never came");
          case LogEntry.Trimmed trimmed -> System.out.println(trimmed.address() + ": given up");
          case LogEntry.Unwritten unwritten -> {} // never below the tail
        }
      }
    }
  }
}
