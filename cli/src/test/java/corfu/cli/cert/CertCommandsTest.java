package corfu.cli.cert;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands {@code corfu cert} and {@code corfu token}: output, exit statuses, secrets. */
class CertCommandsTest {

  @TempDir Path temporary;
  private String pki = "";

  @BeforeEach
  void init() {
    pki = temporary.resolve("pki").toString();
    assertThat(Ran.corfu("cert", "init", "--dir", pki, "--name", "prod").status()).isZero();
  }

  private Ran cert(String line) {
    return corfu("cert " + line + " --dir " + pki);
  }

  private static Ran corfu(String line) {
    return Ran.corfu(line.split(" "));
  }

  /** Returns lines of all private keys below the directory. */
  private List<String> secrets() throws Exception {
    List<String> secrets = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(pki))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file);
        int key = text.indexOf("-----BEGIN PRIVATE");
        if (key >= 0) {
          secrets.add(text.substring(key).lines().toList().get(1));
        }
      }
    }
    return secrets;
  }

  @Test
  void noCommandPrintsAKey() throws Exception {
    StringBuilder printed = new StringBuilder();
    for (String line :
        List.of(
            "issue n1 --host localhost --json",
            "issue app --client",
            "renew app --json",
            "show --json",
            "show",
            "init --add --json",
            "renew --all",
            "revoke app --json")) {
      Ran ran = cert(line + " --verbose");
      assertThat(ran.status()).as(line).isZero();
      printed.append(ran.out()).append(ran.err());
    }
    for (Path file : List.of(Path.of(pki, "certificates/n1.pem"), Path.of(pki, "ca.pem"))) {
      Ran ran = corfu("cert show " + file);
      assertThat(ran.status()).isZero();
      printed.append(ran.out()).append(ran.err());
    }
    for (String broken : List.of("authorities", "token-keys")) {
      try (Stream<Path> files = Files.list(Path.of(pki, broken))) {
        for (Path file : files.toList()) {
          String text = Files.readString(file);
          secrets().forEach(secret -> assertThat(printed).doesNotContain(secret));
          Files.writeString(file, text.replaceFirst("KEY-----\n.", "KEY-----\n?"));
        }
      }
    }
    Ran failing = cert("issue b --client --verbose");
    assertThat(failing.status()).isEqualTo(ExitCode.FAILED);
    assertThat(failing.err()).contains("authorities").doesNotContain("unexpected failure");
    for (String secret : secrets()) {
      assertThat(failing.err()).doesNotContain(secret.substring(1, 20));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "issue ../n1 --client, 2",
    "issue n1, 2",
    "issue n1 --client --admin, 2",
    "issue n1 --host a/b, 2",
    "issue n1 --host a --client, 2",
    "issue n1 --service, 2",
    "issue n1 --service --host a --admin, 2",
    "issue n1 --client --days 0, 2",
    "issue n1 --client --days 1.5, 2",
    "issue n1 --client --days 5000, 1",
    "issue n1 --client --id n1, 2",
    "issue n1 --client --id spiffe://other/n1, 1",
    "issue n1 --client --csr /dev/null, 1",
    "issue n1 --client --csr /nowhere, 1",
    "init, 1",
    "init --name Prod, 2",
    "init --add --name prod, 2",
    "renew, 2",
    "renew nobody, 1",
    "renew --all --csr a, 2",
    "revoke nobody, 1",
    "retire 12345678, 1"
  })
  void aWrongCommandLineIsToldSo(String line, int status) {
    Ran ran = cert(line);

    assertThat(ran.status()).as(ran.err()).isEqualTo(status);
    assertThat(ran.err()).startsWith("corfu: ").doesNotContain("unexpected");
    assertThat(Path.of(pki, "certificates")).isEmptyDirectory();
  }

  @Test
  void aWrongNameOfAClusterIsToldSo() {
    Ran ran = corfu("cert init --name Prod --dir " + temporary.resolve("b"));

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("lower-case");
    assertThat(temporary.resolve("b")).doesNotExist();
  }

  @Test
  void certificatesThatEndSoonAreWarnedOf() {
    cert("issue late --client --days 10");
    cert("issue early --client --days 60");
    Ran shown = cert("show");

    assertThat(shown.out()).contains("9 days left", "59 days left");
    assertThat(shown.err()).contains("late", "corfu cert renew late --dir " + pki);
    assertThat(shown.err()).doesNotContain("early");
    assertThat(cert("renew --all --within 30d").lines()).hasSize(1);
    assertThat(cert("renew --all --within 5").out()).contains("no certificate");
    assertThat(cert("renew --all --within 70d --json").lines()).hasSize(2);
  }

  @Test
  void theAuthorityThatSignsIsWarnedOfEarly() {
    String late = temporary.resolve("late").toString();
    corfu("cert init --days 179 --dir " + late);
    assertThat(corfu("cert show --dir " + late).err())
        .contains("the authority", "corfu cert init --add --dir " + late);

    corfu("cert init --add --dir " + late);
    assertThat(corfu("cert show --dir " + late).err()).isEmpty();
    assertThat(cert("show").err()).isEmpty();
  }

  @Test
  void jsonHasOneObjectForEachCertificate() {
    cert("issue n1 --host localhost --host 127.0.0.1");
    Ran shown = cert("show --json");

    assertThat(shown.lines()).hasSize(2);
    assertThat(shown.lines().getLast())
        .startsWith("{\"name\":\"n1\",\"file\":\"" + pki)
        .contains(
            "\"hasKey\":true",
            "\"revoked\":false",
            "\"subject\":\"CN=n1\"",
            "\"id\":\"spiffe://prod/server/n1\"",
            "\"hosts\":[\"localhost\",\"127.0.0.1\"]",
            "\"authority\":false",
            "\"daysLeft\":89");
  }

  @Test
  void otherProgramsReadTheFiles() throws Exception {
    String file = Path.of(pki, "certificates/n1.pem").toString();
    cert("issue n1 --host localhost");
    cert("issue app --client");
    cert("init --add");
    cert("revoke app");
    String check = "openssl verify -purpose sslserver -crl_check -CAfile ca.pem -CRLfile crl.pem ";

    assertThat(shell(check + file)).contains("OK");
    assertThat(shell(check.replace("sslserver", "sslclient") + "certificates/app.pem"))
        .contains("revoked");
    assertThat(shell("openssl pkey -noout -check -in " + file)).contains("valid");
    assertThat(
            shell(
                "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
                    + " -keyout own.key -out own.csr -subj /CN=x"))
        .doesNotContain("rror");
    assertThat(cert("issue own --admin --csr " + pki + "/own.csr").status()).isZero();
    assertThat(shell("openssl x509 -noout -text -in certificates/own.pem"))
        .contains("spiffe://prod/admin/own", "CN = own", "TLS Web Client Authentication")
        .doesNotContain("CN = x", "TLS Web Server");
  }

  private String shell(String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(Path.of(pki).toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return output;
  }

  @Test
  void aTokenIsIssuedAndChecked() throws Exception {
    Ran issued = corfu("token issue --for spiffe://prod/client/app --ttl 1h --dir " + pki);
    assertThat(issued.status()).isZero();
    String keys = pki + "/token-keys.pem";

    Ran checked = Ran.corfuWith(issued.out(), "token", "check", "--keys", keys, "--name", "prod");
    assertThat(checked.status()).as(checked.err()).isZero();
    assertThat(checked.out()).startsWith("spiffe://prod/client/app, for prod, until ");
    Ran other = Ran.corfuWith(issued.out(), "token", "check", "--keys", keys, "--name", "b");
    assertThat(other.status()).isEqualTo(ExitCode.FAILED);
    assertThat(other.err()).contains("another authority").doesNotContain(issued.out().strip());
    Ran large =
        Ran.corfuWith("a".repeat(100_000), "token", "check", "--keys", keys, "--name", "prod");
    assertThat(large.err()).contains("too large");
  }

  @ParameterizedTest
  @CsvSource({
    "issue --for app, 2",
    "issue --for spiffe://b/app, 2",
    "issue --for spiffe://prod/a --ttl 25h, 2",
    "issue --for spiffe://prod/a --ttl 0s, 2",
    "issue, 2"
  })
  void aWrongTokenIsNotIssued(String line, int status) {
    Ran ran = corfu("token " + line + " --dir " + pki);

    assertThat(ran.status()).isEqualTo(status);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aDirectoryThatOthersMayEnterIsRefused() throws Exception {
    Files.setPosixFilePermissions(Path.of(pki), PosixFilePermissions.fromString("rwxr-x---"));

    Ran ran = cert("issue app --client");
    assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.err()).contains("chmod 700 " + pki);
    assertThat(corfu("token issue --for spiffe://prod/a --dir " + pki).err())
        .contains("chmod 700 " + pki);
  }
}
