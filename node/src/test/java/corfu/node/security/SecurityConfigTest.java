package corfu.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.ClusterConfig;
import corfu.node.ConfigException;
import corfu.node.security.ClusterSecurity.KeyPairFiles;
import corfu.protocol.Endpoint;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.HostNameCheck;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityConfigTest {

  private static final String SERVER =
      """

      [[server]]
      name = "n1"
      listen = "127.0.0.1:9001"
      directory = "n1"
      """;

  private static final String WHOLE =
      """
      replicas = 1
      tls = "optional"
      insecure-listen = "anyone who reaches the port can read, change and destroy everything"

      [certificates]
      server = "tls/{name}.pem"
      server-key = "tls/{name}-key.pem"
      authorities = ["ca.pem", "old-ca.pem"]
      revocations = "crl.pem"
      clients = "optional"
      trust-domain = "prod"
      host-names = false
      engine = "jdk"
      command = "admin.pem"

      [[server]]
      name = "n1"
      listen = "127.0.0.1:9001"
      directory = "n1"

      [[server]]
      name = "n2"
      listen = "127.0.0.1:9002"
      directory = "n2"
      certificate = "own.pem"
      """;

  @TempDir Path home;

  private ClusterConfig read(String toml) {
    Path file = home.resolve("corfu.toml");
    try {
      Files.writeString(file, toml);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return ClusterConfig.read(file);
  }

  @Test
  void everyKeyIsReadAndPathsStartAtTheFile() {
    ClusterConfig config = read(WHOLE);
    ClusterSecurity security = config.security();

    assertThat(security.servers())
        .isEqualTo(
            new TlsOptions(
                TlsMode.OPTIONAL,
                Optional.of(home.resolve("tls/{name}.pem")),
                Optional.of(home.resolve("tls/{name}-key.pem")),
                List.of(home.resolve("ca.pem"), home.resolve("old-ca.pem")),
                Optional.of(home.resolve("crl.pem")),
                ClientCertificates.OPTIONAL,
                Optional.of("prod"),
                HostNameCheck.OFF,
                TlsEngine.JDK));
    assertThat(security.insecureListen()).isTrue();
    assertThat(security.ofCommands().certificate()).contains(home.resolve("admin.pem"));
    assertThat(security.ofCommands().key()).contains(home.resolve("admin.pem"));

    TlsOptions n1 = security.of("n1", config.server("n1").certificate());
    assertThat(n1.certificate()).contains(home.resolve("tls/n1.pem"));
    assertThat(n1.key()).contains(home.resolve("tls/n1-key.pem"));
    TlsOptions n2 = security.of("n2", config.server("n2").certificate());
    assertThat(n2.certificate()).contains(home.resolve("own.pem"));
    assertThat(n2.key()).contains(home.resolve("own.pem"));
  }

  @Test
  void aWrittenConfigurationIsReadAgain() {
    ClusterConfig config = read(WHOLE);

    ClusterConfig again = read(config.toToml());

    assertThat(again.security()).isEqualTo(config.security());
    assertThat(again.server("n2").certificate())
        .contains(new KeyPairFiles(home.resolve("own.pem")));
  }

  @Test
  void thereIsNoTlsByDefault() {
    assertThat(read("replicas = 1\n" + SERVER).security()).isEqualTo(ClusterSecurity.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tls = \"on\"             |                         | none of off, optional, required",
        "tls = \"required\"       |                         | needs the certificates of trusted",
        "insecure-listen = true   |                         | takes these words",
        "                         | certificate = \"a.pem\" | unknown key 'certificate'",
        "                         | clients = \"some\"      | none of required, optional",
        "                         | host-names = \"yes\"    | host-names is true or false",
        "                         | server-key = \"a.pem\"  | needs the certificate of this key",
        "                         | trust-domain = \"A B\"  | a trust domain has",
        "                         | authorities = [1]       | authorities is a list of files",
      })
  void wrongKeysAndValuesAreRefusedWithHelp(String top, String section, String message) {
    String toml =
        "replicas = 1\n%s\n[certificates]\n%s\n%s"
            .formatted(top == null ? "" : top, section == null ? "" : section, SERVER);

    assertThatThrownBy(() -> read(toml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("corfu.toml")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:9001", "[::]:9001", "192.0.2.1:9001", "nowhere.invalid:9001"})
  void aServerBeyondThisMachineNeedsTlsOrTheWords(String address) {
    Endpoint listen = Endpoint.parse(address);
    ClusterSecurity words = new ClusterSecurity(TlsOptions.OFF, Optional.empty(), true);
    ClusterSecurity required =
        new ClusterSecurity(
            TlsOptions.withoutCertificate(Path.of("ca.pem")), Optional.empty(), false);

    assertThat(ListenCheck.objection(ClusterSecurity.NONE, "n1", listen).orElseThrow())
        .contains("server n1", address, "tls = \"required\"", ClusterSecurity.INSECURE_WORDS);
    assertThat(ListenCheck.objection(required.withMode(TlsMode.OPTIONAL), "n1", listen))
        .isPresent();
    assertThat(ListenCheck.objection(words, "n1", listen)).isEmpty();
    assertThat(ListenCheck.objection(required, "n1", listen)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:9001", "127.0.0.5:9001", "[::1]:9001", "localhost:9001"})
  void aServerOnLoopbackNeedsNoTls(String address) {
    assertThat(ListenCheck.objection(ClusterSecurity.NONE, "n1", Endpoint.parse(address)))
        .isEmpty();
  }
}
