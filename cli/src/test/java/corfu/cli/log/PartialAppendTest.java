package corfu.cli.log;

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

/** Appends to a cluster that has room for 256 KiB. */
class PartialAppendTest {

  private static final String LINES = ("x".repeat(1000) + "\n").repeat(10_000);

  @TempDir Path directory;
  private Node node;

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world)
              .create(1, 1, UnitMode.MEMORY)
              .withCapacity(256 << 10)
              .withSupervision(Supervision.DEFAULT.withAgent(false));
    }
    node = Node.start(config, "n1");
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Ran corfuWith(String input, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  @Test
  void wherePartOfTheLinesWasAppendedTheStatusSaysSoAndTheMessageHowMany() {
    var ran = corfuWith(LINES, "append");

    assertThat(ran.status()).isEqualTo(ExitCode.PARTLY_DONE);
    int appended = ran.lines().size();
    assertThat(appended).isBetween(1, 999);
    assertThat(ran.err())
        .startsWith("corfu: line ")
        .contains("has no space left", "; " + appended + " lines were appended, ")
        .contains(", and the lines behind them were not sent");
  }

  @Test
  void scriptsAreToldHowManyInTheLastObject() {
    var ran = corfuWith(LINES, "stream", "append", "--stream", "a", "--json");

    int appended = ran.lines().size() - 1;
    assertThat(ran.status()).isEqualTo(ExitCode.PARTLY_DONE);
    assertThat(ran.lines().getLast())
        .startsWith("{\"appended\":" + appended + ",\"failed\":")
        .contains("\"unknown\":0,\"line\":", "has no space left", "\"status\":12");
  }

  @Test
  void whereNothingWasAppendedTheStatusIsTheReason() {
    corfuWith(LINES, "append");

    var full = corfuWith(LINES, "append", "--json");

    assertThat(full.status()).isEqualTo(ExitCode.NO_SPACE);
    assertThat(full.out()).startsWith("{\"appended\":0,\"failed\":");
    assertThat(corfuWith("x\n", "append").status()).isEqualTo(ExitCode.NO_SPACE);
  }
}
