package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.cluster.OldClient;
import corfu.world.DirectoryInUseException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster on a directory recovers its content. */
final class RestartTest {

  @TempDir private Path directory;

  private EmbeddedCluster start() {
    return EmbeddedCluster.builder()
        .nodes(3)
        .replicas(2)
        .directory(directory)
        .supervision(Supervision.DEFAULT.withAgent(false))
        .start();
  }

  private static LogEntry data(long address, String text) {
    return new LogEntry.Data(new Address(address), ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  @Test
  void everythingIsThereAfterARestartAndTheLogGoesOn() {
    try (EmbeddedCluster cluster = start()) {
      Corfu corfu = cluster.connect();
      Log log = corfu.log();
      IntStream.range(0, 100).forEach(i -> log.append(("entry " + i).getBytes(UTF_8)));
      log.trim(new Address(50));
      log.prefixTrim(new Address(10));
      new OldClient(cluster.transport(), corfu.layout()).fill(100);
    }
    try (EmbeddedCluster cluster = start()) {
      Log log = cluster.connect().log();

      assertThat(log.tail()).isEqualTo(new Address(101));
      List<LogEntry> all = log.read(Address.ZERO, log.tail());
      for (int i = 0; i < 100; i++) {
        Address address = new Address(i);
        boolean trimmed = i < 10 || i == 50;
        assertThat(all.get(i))
            .isEqualTo(trimmed ? new LogEntry.Trimmed(address) : data(i, "entry " + i));
      }
      assertThat(all.get(100)).isEqualTo(new LogEntry.Hole(new Address(100)));
      assertThat(log.append("more".getBytes(UTF_8))).isEqualTo(new Address(101));
    }
  }

  @Test
  void aDirectoryServesOneClusterAtATime() {
    try (EmbeddedCluster cluster = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(DirectoryInUseException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("in use");
      assertThat(cluster.connect().log().tail()).isEqualTo(Address.ZERO);
    }
  }

  @Test
  void aClusterOfThreeIsNotStartedWithTwo() {
    start().close();

    assertThatThrownBy(
            () -> EmbeddedCluster.builder().nodes(2).replicas(2).directory(directory).start())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("3 servers");
  }
}
