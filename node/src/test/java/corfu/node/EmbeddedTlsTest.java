package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.local.FreePorts;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedTlsTest {

  @TempDir Path directory;

  private static int freePorts(int count) {
    try (RealWorld world = new RealWorld()) {
      return FreePorts.consecutive(count, world.random());
    }
  }

  private EmbeddedCluster.Builder builder(int port) {
    return EmbeddedCluster.builder()
        .nodes(3)
        .replicas(2)
        .directory(directory.resolve("data"))
        .tls(directory.resolve("pki"), port);
  }

  @Test
  void otherProcessesConnectByTlsToTheLogOfTheClientsInside() {
    int port = freePorts(3);
    Address address;
    try (EmbeddedCluster cluster = builder(port).start()) {
      address = cluster.connect().log().append("inside".getBytes(UTF_8));
      try (Corfu outside = Corfu.connect(cluster.remoteOptions())) {
        assertThat(textAt(address, outside)).isEqualTo("inside");
        cluster.kill("n3");
        outside.log().append("outside".getBytes(UTF_8));
        cluster.restart("n3");
      }
    }
    try (EmbeddedCluster again = builder(port).start();
        Corfu outside = Corfu.connect(again.remoteOptions())) {
      assertThat(textAt(address, outside)).isEqualTo("inside");
    }
  }

  @Test
  void nobodyConnectsWithoutACertificate() {
    try (EmbeddedCluster cluster = builder(freePorts(3)).start()) {
      CorfuOptions anonymous =
          cluster
              .remoteOptions()
              .withTls(TlsOptions.withoutCertificate(directory.resolve("pki/ca.pem")))
              .withOperationTimeout(Duration.ofSeconds(2));

      assertThatThrownBy(() -> Corfu.connect(anonymous)).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aClusterWithoutTlsHasNoRemoteOptions() {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      assertThatThrownBy(cluster::remoteOptions)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("tls(directory, port)");
    }
  }

  private static String textAt(Address address, Corfu corfu) {
    return corfu.log().read(address) instanceof LogEntry.Data data ? data.text() : "no data";
  }
}
