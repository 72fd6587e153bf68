package corfu.cli.audit;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.node.security.LoopbackAuthority;
import corfu.pki.CertificateAuthority;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code corfu audit} against a server with TLS that enforces permissions. */
@Timeout(120)
class AuditCommandsTest {

  private static final String BOB = "spiffe://local/client/bob";
  private static final String ADMIN = "spiffe://local/admin/admin";

  @TempDir private Path directory;
  private final RealWorld world = new RealWorld();
  private final List<Node> nodes = new ArrayList<>();
  private String servers = "";

  @BeforeEach
  void start() {
    List<String> names = List.of("n1");
    int port = FreePorts.consecutive(1, world.random());
    var security = LoopbackAuthority.prepare(pki(), names, world);
    CertificateAuthority.open(pki(), world).issueClient("bob");
    ClusterConfig config =
        ClusterConfig.local(directory, port, 1, 1, UnitMode.MEMORY)
            .withSecurity(security)
            .withAccess(
                new TrustedIdentities(
                    List.of(Subject.parse("spiffe://local/server/*")),
                    List.of(Subject.parse(ADMIN))));
    nodes.add(Node.start(config, "n1"));
    Bootstrap.bootstrap(config);
    servers = "127.0.0.1:" + port;
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
    world.close();
  }

  private Path pki() {
    return directory.resolve("pki");
  }

  private Ran run(String line) {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
    words.addAll(List.of("--servers", servers, "--tls-dir", pki().toString()));
    return Ran.corfu(words.toArray(String[]::new));
  }

  private Ran runAsBob(String line) {
    String certificate = pki().resolve("certificates").resolve("bob.pem").toString();
    return run(line + " --tls-cert " + certificate);
  }

  @Test
  void eventsAreListedVerifiedAndTrimmed() {
    assertThat(run("access grant " + BOB + " read letters").status()).isZero();
    assertThat(runAsBob("stream append x --stream orders").status()).isEqualTo(ExitCode.DENIED);

    List<String> refused =
        eventually(
            () -> run("audit --refused --identity spiffe://local/client/*").lines(),
            lines -> assertThat(lines).isNotEmpty());
    assertThat(refused.getFirst())
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z n1 refused  " + BOB + " at 127.0.0.1.*")
        .contains(" needs append on id:");
    assertThat(run("audit --identity " + ADMIN).out())
        .contains("Write of corfu/access, address ")
        .contains(": grant " + BOB + " read letters");
    assertThat(run("audit --refused --json").lines().getFirst())
        .startsWith("{\"address\":")
        .contains("\"kind\":\"refused\",\"identity\":\"" + BOB + "\"")
        .contains("\"permission\":\"append\"");
    assertThat(run("audit --limit 1").lines()).hasSize(1);
    assertThat(run("audit --from 2000-01-01T00:00:00Z").lines())
        .hasSameSizeAs(run("audit --limit 1000").lines());
    assertThat(run("audit --from 999999").lines()).isEmpty();

    Ran verified = run("audit verify");
    assertThat(verified.out()).contains("records, one unbroken chain; the newest is ");
    assertThat(verified.status()).isZero();
    String newest = verified.out().replaceAll("(?s).* is (\\S+)\\s*", "$1");
    assertThat(run("audit trim --before " + newest.split(":")[0]).out())
        .isEqualTo(
            "the audit log begins with the record at address " + newest.split(":")[0] + "\n");
    assertThat(run("audit verify --from " + newest).status()).isZero();
  }

  @Test
  void aBreakHasAnAddressAndAnExitStatus() {
    assertThat(run("stream append forged --stream corfu/audit").status()).isZero();

    Ran verified = run("audit verify");
    assertThat(verified.status()).isEqualTo(ExitCode.FAILED);
    assertThat(verified.out())
        .matches(
            "(?s)the chain is broken at address \\d+: the entry is no record of the audit log.*");
    assertThat(run("audit verify --json").out()).startsWith("{\"whole\":false,\"records\":");
  }

  @Test
  void onlyObserversReadIt() {
    assertThat(run("access grant " + BOB + " read letters").status()).isZero();

    assertThat(runAsBob("audit").status()).isEqualTo(ExitCode.DENIED);
    assertThat(runAsBob("audit verify").status()).isEqualTo(ExitCode.DENIED);
    assertThat(run("access grant " + BOB + " observe").status()).isZero();
    assertThat(runAsBob("audit verify").status()).isZero();
    assertThat(runAsBob("audit trim --before 1").status()).isEqualTo(ExitCode.DENIED);
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThat(run("audit --from yesterday").err()).contains("a log address or a time is wanted");
    assertThat(run("audit --limit 0").status()).isEqualTo(ExitCode.USAGE);
    assertThat(run("audit verify --from 17").err()).contains("ADDRESS:HASH");
    assertThat(run("audit trim --before x").status()).isEqualTo(ExitCode.USAGE);
  }
}
