package corfu.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;

public class HelloLog {
  public static void main(String[] arguments) {
    // A cluster inside this JVM. For a remote one: Corfu.connect("host1:9000,host2:9000")
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      Log log = client.log();
      Address hello = log.append("hello".getBytes(UTF_8)); // returns when both replicas have it
      log.append("world".getBytes(UTF_8));
      for (LogEntry entry : log.read(hello, log.tail())) {
        if (entry instanceof LogEntry.Data data) { // or a hole, or trimmed
          System.out.println(data.address() + ": " + data.text());
        }
      }
    }
  }
}
