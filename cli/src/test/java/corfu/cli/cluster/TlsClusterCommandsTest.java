package corfu.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.node.security.LoopbackAuthority;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.SteadyAppends;
import corfu.transport.tls.TlsMode;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes with certificates. */
@Timeout(400)
class TlsClusterCommandsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Long tests move there and back several times. */
  private static final int ROUNDS = "long".equals(System.getProperty("corfu.tests")) ? 4 : 1;

  private static final int MORE = 20;

  @TempDir Path directory;
  private final RealWorld world = new RealWorld();

  @AfterEach
  void stop() {
    corfu("cluster", "stop");
    world.close();
  }

  private Ran corfu(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.addAll(List.of("--dir", home().toString()));
    return Ran.corfu(arguments.toArray(String[]::new));
  }

  private Path home() {
    return directory.resolve("cluster");
  }

  private Path pki() {
    return home().resolve("pki");
  }

  private LocalCluster cluster() {
    return LocalCluster.at(home(), world);
  }

  private void succeed(String... words) {
    Ran ran = corfu(words);
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aRunningClusterMovesToTlsAndRenewsItsCertificatesWithoutAFailedAppend() throws Exception {
    succeed("cluster", "start", "--nodes", "3", "--replicas", "2");
    succeed("cluster", "tls", "optional");
    var options = cluster().clientOptions().withOperationTimeout(PATIENCE);
    try (Corfu corfu = Corfu.connect(options);
        SteadyAppends appends = new SteadyAppends(corfu)) {
      appends.awaitMore();
      for (int round = 0; round < ROUNDS; round++) {
        restartAll(appends);
        succeed("cluster", "tls", "required");
        restartAll(appends);
        Ran renewed = Ran.corfu("cert", "renew", "--all", "--dir", pki().toString());
        assertThat(renewed.lines()).hasSize(5);
        appends.awaitMore();
        succeed("append", "by another client");
        succeed("cluster", "tls", "optional");
      }
      assertThat(appends.failures()).isEmpty();
    }
  }

  private void restartAll(SteadyAppends appends) {
    for (String server : List.of("n1", "n2", "n3")) {
      succeed("cluster", "restart", server);
      appends.awaitMore();
    }
  }

  @Test
  void noSecretIsInLogsAnswersErrorsOrTheListOfProcesses() throws IOException {
    succeed("cluster", "start", "--nodes", "1", "--replicas", "1", "--tls");
    StringBuilder seen = new StringBuilder();
    for (LocalServer server : cluster().servers()) {
      seen.append(server.process().orElseThrow().info().commandLine().orElse(""));
    }
    for (String[] words :
        List.of(
            new String[] {"status", "--json"},
            new String[] {"status", "--verbose"},
            new String[] {"layout", "show"},
            new String[] {"append", "hello", "--json"})) {
      Ran ran = corfu(words);
      seen.append(ran.out()).append(ran.err());
    }
    Path key = pki().resolve("certificates/admin.pem");
    seen.append(Ran.corfu("cert", "show", key.toString(), "--json").out());
    List<String> secrets = secrets();

    Files.writeString(key, Files.readString(key).replace("BEGIN PRIVATE KEY", "BEGIN KEY"));
    Ran damaged = corfu("tail", "--verbose");
    assertThat(damaged.status()).isEqualTo(ExitCode.USAGE);
    assertThat(damaged.err()).contains(key.toString());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));
    Ran readable = corfu("tail");
    assertThat(readable.status()).isEqualTo(ExitCode.USAGE);
    assertThat(readable.err()).contains(key.toString(), "chmod 600");
    seen.append(damaged.err()).append(readable.err());
    seen.append(Files.readString(home().resolve("n1.log")));

    assertThat(seen.toString()).contains("TLS is required").doesNotContain(secrets);
  }

  @Test
  void commandsTakeCertificatesByTheirOptions() {
    succeed("cluster", "start", "--nodes", "1", "--replicas", "1", "--tls");
    String servers = cluster().endpoints().getFirst().toString();
    String authorities = pki().resolve("ca.pem").toString();
    String client = pki().resolve("certificates/client.pem").toString();

    Ran byDirectory = Ran.corfu("append", "1", "--servers", servers, "--tls-dir", pki().toString());
    Ran byFiles =
        Ran.corfu(
            "append", "2", "--servers", servers, "--tls-ca", authorities, "--tls-cert", client);
    Ran without =
        Ran.corfu("append", "3", "--servers", servers, "--tls-ca", authorities, "--timeout", "2s");
    Ran plain = Ran.corfu("append", "4", "--servers", servers, "--timeout", "2s");
    Ran wrong = Ran.corfu("append", "5", "--servers", servers, "--tls-cert", client);

    assertThat(byDirectory.status()).as(byDirectory.err()).isEqualTo(ExitCode.OK);
    assertThat(byFiles.status()).as(byFiles.err()).isEqualTo(ExitCode.OK);
    assertThat(without.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(without.err()).contains("certificate");
    assertThat(plain.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(wrong.status()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("--tls-ca");
    assertThat(cluster().config().security().servers().mode()).isEqualTo(TlsMode.REQUIRED);
    assertThat(corfu("status", "--json").out())
        .contains("\"tls\":{\"mode\":\"required\"", "\"certificate\":{", "\"daysLeft\":89");
  }

  @Test
  void permissionsAreTurnedOnOnlyWhereCertificatesProveNames() {
    cluster().create(1, 1, UnitMode.MEMORY);

    Ran open = corfu("cluster", "access", "on");
    assertThat(open.status()).isNotEqualTo(ExitCode.OK);
    assertThat(open.err()).contains("corfu cluster tls optional");
    assertThat(cluster().config().access()).isEmpty();

    succeed("cluster", "tls", "optional");
    succeed("cluster", "access", "on");
    assertThat(cluster().config().access()).contains(LoopbackAuthority.trusted());
    assertThat(corfu("cluster", "access", "off", "--json").out())
        .isEqualTo("{\"access\":\"off\"}\n");
    assertThat(cluster().config().access()).isEmpty();
  }

  @Test
  void aMirrorConnectsToTwoClustersOfDifferentAuthorities() {
    String other = directory.resolve("other").toString();
    succeed("cluster", "start", "--nodes", "1", "--replicas", "1", "--tls");
    try {
      Ran started =
          Ran.corfu("cluster", "start", "--nodes", "1", "--replicas", "1", "--tls", "--dir", other);
      assertThat(started.status()).as(started.err()).isEqualTo(ExitCode.OK);
      succeed("append", "mirrored");

      Ran mirrored =
          Ran.corfu(
              "mirror", "run", "--until-caught-up", "--from", home().toString(), "--to", other);

      assertThat(mirrored.status()).as(mirrored.err()).isEqualTo(ExitCode.OK);
      assertThat(Ran.corfu("read", "0", "--dir", other).out()).isEqualTo("mirrored\n");
    } finally {
      Ran.corfu("cluster", "stop", "--dir", other);
    }
  }

  /** Returns all lines of private keys below the authority's directory. */
  private List<String> secrets() throws IOException {
    List<String> secrets = new ArrayList<>();
    try (Stream<Path> files = Files.walk(pki())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        boolean isKey = false;
        for (String line : Files.readAllLines(file)) {
          isKey = line.contains("BEGIN") ? line.contains("PRIVATE KEY") : isKey;
          if (isKey && !line.startsWith("-") && line.length() > MORE) {
            secrets.add(line);
          }
        }
      }
    }
    assertThat(secrets).isNotEmpty();
    return secrets;
  }
}
