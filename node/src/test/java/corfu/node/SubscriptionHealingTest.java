package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamAddress;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscribers of a self-healing cluster, when the server dies that reports entries to them. */
@ParameterizedClass
@ValueSource(ints = {0, 1})
@Timeout(300)
final class SubscriptionHealingTest {

  private final EmbeddedCluster cluster;
  private final Corfu writer;
  private final Corfu reader;
  private final LogStream written;
  private final BlockingQueue<String> given = new LinkedBlockingQueue<>();

  /**
   * @param streamReplicas the number of stream replicas in addition to the log's
   */
  SubscriptionHealingTest(int streamReplicas) {
    cluster =
        EmbeddedCluster.builder()
            .nodes(5)
            .spares(1)
            .replicas(2 - streamReplicas)
            .streamReplicas(streamReplicas)
            .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
            .start();
    writer = cluster.connect();
    reader = cluster.connect();
    written = Streams.over(writer).open("orders");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void append(int from, int to) {
    for (int i = from; i < to; i++) {
      written.append(("entry " + i).getBytes(UTF_8));
    }
  }

  private List<String> next(int count) throws InterruptedException {
    List<String> next = new ArrayList<>();
    while (next.size() < count) {
      next.add(given.take());
    }
    return next;
  }

  private static List<String> entries(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "entry " + i).toList();
  }

  private Endpoint whoTells() {
    Layout layout = writer.layout();
    LayoutSegment open = layout.openSegment();
    return open.stream().isEmpty()
        ? open.log().getFirst().tail()
        : open.streamChainOf(written.id(), open.start()).tail();
  }

  @Test
  void nothingIsLostOrGivenTwiceWhenWhoTellsOfEntriesDies() throws InterruptedException {
    append(0, 1);
    Streams.over(reader)
        .open("orders")
        .subscribe(StreamAddress.ZERO, entry -> given.add(entry.text()));
    append(1, 100);
    assertThat(next(100)).isEqualTo(entries(0, 100));

    Endpoint dead = whoTells();
    cluster.kill(cluster.nameOf(dead));
    append(100, 300);

    assertThat(next(200)).isEqualTo(entries(100, 300));
    assertThat(whoTells()).isNotEqualTo(dead);
    assertThat(given).isEmpty();
  }
}
