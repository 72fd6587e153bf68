package corfu.cli.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.argument.StreamName;
import corfu.cli.log.NewEntrySignal;
import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class StreamsInOrderTest {

  /** Only the signal ends this in time. */
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(3)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final Corfu corfu = cluster.connect();
  private final Corfu writer = cluster.connect();
  private final Streams streams = Streams.over(corfu);
  private final StreamsInOrder followed = new StreamsInOrder(streams);
  private final NewEntrySignal signal = new NewEntrySignal();

  @AfterEach
  void stop() {
    corfu.close();
    writer.close();
    cluster.close();
  }

  private void follow(String... names) {
    for (String name : names) {
      followed.add(new StreamName(name, streams.open(name).id()), streams.open(name).reader());
    }
    followed.sync();
    followed.listen(signal);
  }

  private LogStream written(String name) {
    return Streams.over(writer).open(name);
  }

  private List<String> rest() {
    List<String> rest = new ArrayList<>();
    for (Optional<StreamsInOrder.Next> next = followed.next();
        next.isPresent();
        next = followed.next()) {
      rest.add(next.get().stream().text() + " " + ((StreamRead.Entry) next.get().read()).text());
    }
    return rest;
  }

  @Test
  void theBellRingsForEachOfThem() throws InterruptedException {
    follow("a", "b");
    for (String name : List.of("a", "b", "a")) {
      written(name).append("x".getBytes(UTF_8));
      signal.await(FOR_EVER);
      followed.sync();
      assertThat(rest()).containsExactly(name + " x");
    }
  }

  @Test
  void whateverItRangForTheOrderIsThatOfTheLog() throws InterruptedException {
    follow("a", "b");
    Map<String, CompletableFuture<StreamAppend.Appended>> appends = new HashMap<>();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = i % 3 == 0 ? "b" : "a";
      var payload = ByteBuffer.wrap(Integer.toString(i).getBytes(UTF_8));
      appends.put(name + " " + i, written(name).appendAsync(payload));
    }
    while (read.size() < appends.size()) {
      signal.await(FOR_EVER);
      followed.sync();
      read.addAll(rest());
    }

    List<String> inOrderOfLog = new ArrayList<>(appends.keySet());
    inOrderOfLog.sort(Comparator.comparing(entry -> appends.get(entry).join().address()));
    assertThat(read).isEqualTo(inOrderOfLog);
  }

  @Test
  void whatWasTrimmedIsToldWithoutWaiting() {
    for (int i = 0; i < 3; i++) {
      written("a").append("x".getBytes(UTF_8));
    }
    written("a").trim(new StreamAddress(2));
    follow("a");

    assertThat(followed.next().map(StreamsInOrder.Next::read))
        .contains(new StreamRead.Trimmed(new StreamAddress(2)));
    assertThat(rest()).containsExactly("a x");
  }
}
