package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One log replica and one stream replica for each entry. A unit of one kind dies and loses
 * everything.
 */
@Timeout(300)
final class StreamHealingTest {

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(5)
          .spares(1)
          .replicas(1)
          .streamReplicas(1)
          .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
          .start();
  private final Corfu corfu = cluster.connect();
  private final Streams streams = Streams.over(corfu);
  private final List<LogStream> some =
      IntStream.range(0, 4).mapToObj(i -> streams.open("stream " + i)).toList();

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Appends to each stream alone, to two of them, and to none. */
  private void append(int from, int to) {
    for (int i = from; i < to; i++) {
      LogStream stream = some.get(i % 4);
      stream.append(bytes("alone " + i));
      streams.append(List.of(stream.id(), some.get((i + 1) % 4).id()), bytes("two " + i));
      corfu.log().append(bytes("none " + i));
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  /** Waits until the cluster has such a layout. */
  private void eventuallyIs(Predicate<Layout> what) {
    eventually(
        () -> {
          corfu.servers(); // asks for the newest layout, too
          assertThat(corfu.layout()).matches(what);
        });
  }

  private static boolean isWhole(Layout layout) {
    return layout.segments().stream()
        .allMatch(
            segment ->
                !segment.hasTarget()
                    && !segment.stream().isEmpty()
                    && segment.log().stream().noneMatch(Chain::isLost));
  }

  private void kill(Endpoint server) {
    cluster.kill(cluster.nameOf(server));
  }

  /**
   * Checks that all appends with numbers below {@code count} are there, in the log and in each
   * stream.
   */
  private void seesAll(Corfu client, int count) {
    List<LogEntry> log = client.log().read(Address.ZERO, client.log().tail());
    List<String> texts =
        log.stream()
            .filter(LogEntry.Data.class::isInstance)
            .map(entry -> ((LogEntry.Data) entry).text())
            .toList();
    assertThat(texts).hasSize(3 * count).doesNotHaveDuplicates();
    Streams fresh = Streams.over(client);
    for (LogStream stream : some) {
      StreamReader reader = fresh.open(stream.id()).reader();
      reader.sync();
      assertThat(reader.readRest().stream().map(StreamRead.Entry::text))
          .isEqualTo(textsOf(stream.id(), log));
    }
  }

  private static List<String> textsOf(StreamId stream, List<LogEntry> log) {
    return log.stream()
        .filter(LogEntry.Data.class::isInstance)
        .map(LogEntry.Data.class::cast)
        .filter(data -> data.streams().stream().anyMatch(at -> at.stream().equals(stream)))
        .map(LogEntry.Data::text)
        .toList();
  }

  @Test
  void whenAStreamReplicaDiesReadersGoOnByTheLogAndTheReplicaIsMadeAnew() {
    append(0, 40);
    Endpoint dead = corfu.layout().openSegment().streamChainOf(some.getFirst().id(), 0).head();
    kill(dead);

    append(40, 60);
    seesAll(cluster.connect(), 60);

    eventuallyIs(layout -> !layout.logUnits().contains(dead) && isWhole(layout));
    seesAll(cluster.connect(), 60);
  }

  @Test
  void whenTheOnlyLogReplicaDiesItIsMadeAnewFromTheReplicasOfStreams() {
    append(0, 40);
    Endpoint dead = corfu.layout().chainOf(0).head();
    kill(dead);

    append(40, 60);
    seesAll(cluster.connect(), 60);

    eventuallyIs(layout -> !layout.logUnits().contains(dead) && isWhole(layout));
    seesAll(cluster.connect(), 60);
  }
}
