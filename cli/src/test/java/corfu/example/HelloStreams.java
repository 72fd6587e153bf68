package corfu.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.node.EmbeddedCluster;
import corfu.protocol.StreamAddress;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;

public class HelloStreams {
  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      Streams streams = Streams.over(client);
      LogStream orders = streams.open("orders"); // a name, or any 128-bit id; nothing to create
      LogStream audit = streams.open("audit");

      orders.append(bytes("one book"));
      orders.appendAsync(bytes("two pens")).join(); // the same without waiting, until join
      streams.append(List.of(orders.id(), audit.id()), bytes("a lamp")); // in both, or in none

      StreamReader reader = orders.reader();
      reader.sync(); // whatever was appended before this is seen
      for (StreamRead.Entry entry : reader.readRest()) {
        System.out.println(
            entry.streamAddress() + ", log " + entry.address() + ": " + entry.text());
      }
      System.out.println(orders.read(new StreamAddress(1))); // at random
      System.out.println(orders.read(StreamAddress.ZERO, orders.tail()).size()); // and in ranges

      // Only if nobody has changed the orders since we looked:
      var condition =
          new Condition(client.log().tail().value(), List.of(StreamPart.whole(orders.id())));
      StreamAppend outcome =
          streams.appendIf(List.of(StreamPart.whole(audit.id())), condition, bytes("all seen"));
      switch (outcome) {
        case StreamAppend.Appended appended -> System.out.println("at " + appended.address());
        case StreamAppend.Conflict conflict -> System.out.println("not: " + conflict);
      }

      orders.trim(new StreamAddress(2)); // log addresses go when no other stream needs them
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
