package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.cluster.OldClient;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One copy of the log and one of streams, vCorfu's arrangement, after the loss of a unit of the
 * log.
 */
@Timeout(300)
final class LostLogChainTest {

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(5)
          .spares(1)
          .replicas(1)
          .streamReplicas(1)
          .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
          .start();
  private final Corfu corfu = cluster.connect();
  private final Log log = corfu.log();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static boolean isWhole(Layout layout) {
    return layout.segments().stream()
        .allMatch(segment -> !segment.hasTarget() && segment.serving().hasStreams());
  }

  @Test
  void everythingThatWasAcknowledgedIsReadFromTheReplicasOfStreamsAndGetsItsCopiesBack() {
    LogStream one = Streams.over(corfu).open("one");
    LogStream other = Streams.over(corfu).open("other");
    for (int i = 0; i < 60; i++) {
      switch (i % 3) {
        case 0 -> log.append(("entry " + i).getBytes(UTF_8));
        case 1 -> one.appendAsync(bytes("entry " + i)).join();
        default -> other.appendAsync(bytes("entry " + i)).join();
      }
    }
    new OldClient(cluster.transport(), corfu.layout())
        .fill(log.tail().value()); // a hole, which has a copy elsewhere, too
    Endpoint lost = corfu.layout().chainOf(1).tail();
    Address end = log.tail();

    cluster.kill(cluster.nameOf(lost));

    one.appendAsync(bytes("goes on")).join();
    eventually(
        () -> {
          corfu.servers(); // asks for the newest layout, too
          Layout layout = corfu.layout();
          assertThat(layout.logUnits()).doesNotContain(lost);
          assertThat(layout).matches(LostLogChainTest::isWhole);
        });
    List<String> texts = new ArrayList<>();
    for (LogEntry entry : log.read(Address.ZERO, end)) {
      if (entry instanceof LogEntry.Data data) {
        texts.add(data.text());
      }
    }
    for (int i = 0; i < 60; i++) {
      assertThat(texts).contains("entry " + i);
    }
  }
}
