package corfu.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.node.security.LoopbackAuthority;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class TlsClientTest {

  @TempDir private Path directory;

  @Test
  void aClientWithACertificateUsesAClusterWithTls() throws Exception {
    Path pki = directory.resolve("pki");
    ClusterConfig config;
    try (RealWorld world = new RealWorld()) {
      int port = FreePorts.consecutive(1, world.random());
      config =
          ClusterConfig.local(directory, port, 1, 1, UnitMode.MEMORY)
              .withSecurity(LoopbackAuthority.prepare(pki, List.of("n1"), world));
    }
    try (Node node = Node.start(config, "n1")) {
      var unused = Bootstrap.bootstrap(config);
      Properties properties = new Properties();
      properties.setProperty(CorfuClient.SERVERS, node.endpoint().toString());
      properties.setProperty(
          CorfuClient.TLS_CERTIFICATE, pki.resolve("certificates/client.pem").toString());
      assertThatThrownBy(() -> client(properties))
          .isInstanceOf(DBException.class)
          .hasMessageContaining(CorfuClient.TLS_AUTHORITIES);
      properties.setProperty(CorfuClient.TLS_AUTHORITIES, pki.resolve("ca.pem").toString());
      properties.setProperty(CorfuClient.TLS_TRUST_DOMAIN, "local");

      CorfuClient client = client(properties);

      Map<String, ByteIterator> read = new HashMap<>();
      assertThat(client.insert("users", "ann", Map.of("age", new StringByteIterator("40"))))
          .isEqualTo(Status.OK);
      assertThat(client.read("users", "ann", null, read)).isEqualTo(Status.OK);
      assertThat(new String(read.get("age").toArray(), UTF_8)).isEqualTo("40");
      client.cleanup();
    }
  }

  private static CorfuClient client(Properties properties) throws DBException {
    CorfuClient client = new CorfuClient();
    client.setProperties(properties);
    client.init();
    return client;
  }
}
