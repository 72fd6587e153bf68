package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.runtime.cluster.RoleCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The sequencer is only an optimization: without one, clients contend for addresses. */
final class NoSequencerTest {

  @Test
  void clientsContendAndLoseNothing() {
    try (RoleCluster cluster =
        RoleCluster.builder().nodes(3).replicas(2).withoutSequencer().start()) {
      Layout layout = cluster.connect().layout();
      assertThat(layout.sequencers()).isEmpty();
      List<CompletableFuture<Address>> appends = new ArrayList<>();
      for (int client = 0; client < 3; client++) {
        Log log = cluster.connect().log();
        for (int i = 0; i < 100; i++) {
          appends.add(log.appendAsync((client + ":" + i).getBytes(UTF_8)));
        }
      }
      List<Address> addresses = appends.stream().map(CompletableFuture::join).toList();

      assertThat(addresses).doesNotHaveDuplicates();
      Log log = cluster.connect().log();
      assertThat(log.tail().value()).isGreaterThanOrEqualTo(300);
      List<LogEntry> all = log.read(Address.ZERO, log.tail());
      List<String> texts = new ArrayList<>();
      for (LogEntry entry : all) {
        if (entry instanceof LogEntry.Data data) {
          texts.add(data.text());
        }
      }
      assertThat(texts).hasSize(300).doesNotHaveDuplicates();
    }
  }
}
