package corfu.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RoleClusterTest {

  @Test
  void aServerThatWasKilledComesBackWithItsEntries(@TempDir Path directory) {
    try (RoleCluster cluster =
        RoleCluster.builder()
            .nodes(3)
            .replicas(3)
            .directory(directory, UnitMode.DURABLE, 64 << 20)
            .start()) {
      Log log = cluster.connect().log();
      Address before = log.append("before".getBytes(UTF_8));

      cluster.kill("n3");
      CompletableFuture<Address> meanwhile =
          log.appendAsync(ByteBuffer.wrap("after".getBytes(UTF_8)));
      cluster.restart("n3");

      List<LogEntry> entries = log.read(before, meanwhile.join().plus(1));
      assertThat(entries)
          .filteredOn(LogEntry.Data.class::isInstance)
          .extracting(entry -> ((LogEntry.Data) entry).text())
          .containsExactly("before", "after");
      assertThat(cluster.connect().servers())
          .allSatisfy(
              server -> assertThat(server.usage().orElseThrow().entries()).isGreaterThan(1));
    }
  }
}
