package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The sequencer is only an optimization: without one, clients contend for addresses. */
final class NoSequencerTest {

  @Test
  void clientsContendAndLoseNothing() {
    ClusterConfig full =
        ClusterConfig.local(
            java.nio.file.Path.of(""), 1, 3, 2, corfu.roles.logunit.options.UnitMode.MEMORY);
    List<ServerConfig> servers =
        full.servers().stream()
            .map(
                s ->
                    new ServerConfig(
                        s.name(),
                        s.listen(),
                        s.directory(),
                        s.roles().stream()
                            .filter(role -> role != RoleKind.SEQUENCER)
                            .collect(java.util.stream.Collectors.toSet())))
            .toList();
    ClusterConfig config = full.withServers(full.replicas(), servers);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(config)) {
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
