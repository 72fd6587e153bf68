package corfu.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code corfu access} against a server without TLS, which keeps the policy, and enforces none. */
class AccessCommandsTest {

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world)
              .create(1, 1, UnitMode.MEMORY)
              .withSupervision(Supervision.DEFAULT.withAgent(false));
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  private Ran access(String line) {
    return Ran.corfu(("access " + line + " --dir " + directory).split(" "));
  }

  @Test
  void aGrantIsListedCheckedAndRevoked() {
    Ran granted = access("grant spiffe://prod/app append orders/*");
    assertThat(granted.out()).isEqualTo("changed: grant spiffe://prod/app append orders/*\n");
    assertThat(granted.status()).isEqualTo(ExitCode.PARTLY_DONE);
    assertThat(granted.err()).contains("enforces no permissions").contains("127.0.0.1:");
    assertThat(access("grant spiffe://prod/app append orders/*").out()).startsWith("unchanged: ");

    assertThat(access("list").lines()).containsExactly("grant spiffe://prod/app append orders/*");
    Ran allowed = access("check spiffe://prod/app append orders/books");
    assertThat(allowed.status()).isZero();
    assertThat(allowed.out()).startsWith("allowed: ");
    Ran denied = access("check spiffe://prod/app read orders/books --json");
    assertThat(denied.status()).isEqualTo(ExitCode.DENIED);
    assertThat(denied.out()).startsWith("{\"allowed\":false,\"reason\":");

    assertThat(access("revoke spiffe://prod/app append orders/*").out()).startsWith("changed: ");
    assertThat(access("list").lines()).isEmpty();
    assertThat(access("check spiffe://prod/app append orders/books").status())
        .isEqualTo(ExitCode.DENIED);
  }

  @Test
  void aRoleGivesItsMembersItsPermissions() {
    assertThat(access("role set ops spiffe://prod/alice spiffe://prod/ci/*").out())
        .isEqualTo("changed: role set ops\n");
    assertThat(access("grant role:ops operate").out()).startsWith("changed: ");

    assertThat(access("check spiffe://prod/ci/1 operate").status()).isZero();
    assertThat(access("list --json").lines())
        .containsExactly(
            "{\"role\":\"ops\",\"members\":[\"spiffe://prod/alice\",\"spiffe://prod/ci/*\"]}",
            "{\"subject\":\"role:ops\",\"permission\":\"operate\"}");
    assertThat(access("role remove ops").out()).startsWith("changed: ");
    assertThat(access("check spiffe://prod/ci/1 operate").status()).isEqualTo(ExitCode.DENIED);
  }

  @Test
  void aQuotaIsSetLimitByLimitShownAndUnset() {
    assertThat(access("quota set spiffe://prod/app --appends-per-second 1000").out())
        .isEqualTo("changed: quota set spiffe://prod/app\n");
    access("quota set spiffe://prod/app --connections 8 --stored-bytes 0");
    assertThat(access("quota show").lines())
        .containsExactly(
            "quota spiffe://prod/app appends-per-second 1000 stored-bytes 0 connections 8");
    access("quota set spiffe://prod/app --stored-bytes none");
    access("quota set spiffe://prod/* --stored-streams 5");
    assertThat(access("quota show --json").lines())
        .containsExactly(
            "{\"subject\":\"spiffe://prod/app\",\"appendsPerSecond\":1000,\"connections\":8}",
            "{\"subject\":\"spiffe://prod/*\",\"streams\":5}");
    assertThat(access("quota show spiffe://prod/other").lines())
        .containsExactly("quota spiffe://prod/other stored-streams 5");

    assertThat(access("quota unset spiffe://prod/*").out()).startsWith("changed: ");
    assertThat(access("quota show spiffe://prod/other").lines())
        .containsExactly("quota spiffe://prod/other none");
    Ran usage = access("usage");
    assertThat(usage.status()).as(usage.err()).isZero();
    assertThat(usage.lines()).isEmpty(); // without TLS, nobody has a name
  }

  @Test
  void wrongQuotasAreRefusedBeforeAnythingIsSent() {
    assertThat(access("quota set a").err()).contains("name one limit or more");
    assertThat(access("quota set a --stored-streams many").err()).contains("'many'");
    assertThat(access("quota set a --appends-per-second 0").status()).isEqualTo(ExitCode.USAGE);
    assertThat(access("quota show").lines()).isEmpty();
  }

  @Test
  void wrongArgumentsAreRefusedBeforeAnythingIsSent() {
    assertThat(access("grant a fly").err()).contains("no permission is called fly");
    assertThat(access("grant a append").err()).contains("needs the streams as its target");
    assertThat(access("grant a operate orders").err()).contains("has no target");
    Ran many = access("check a append orders/*");
    assertThat(many.status()).isEqualTo(ExitCode.USAGE);
    assertThat(many.err()).contains("many streams");
    assertThat(access("list").lines()).isEmpty();
  }
}
