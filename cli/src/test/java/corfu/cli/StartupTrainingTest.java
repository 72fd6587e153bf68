package corfu.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.local.FreePorts;
import corfu.node.local.JavaCommand;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build ignores a failed training, so a test must not. */
class StartupTrainingTest {

  @TempDir private Path directory;

  @Test
  void allCommandsOfTheTrainingSucceed() throws IOException, InterruptedException {
    int port;
    try (RealWorld world = new RealWorld()) {
      port = FreePorts.consecutive(1, world.random());
    }
    Path config = directory.resolve("corfu.toml");
    Files.writeString(
        config,
        """
        replicas = 1
        [[server]]
        name = "n1"
        listen = "127.0.0.1:%d"
        directory = "%s"
        roles = ["sequencer", "layout-server", "log-unit"]
        """
            .formatted(port, directory.resolve("n1")));
    Path output = directory.resolve("output");
    Process training =
        JavaCommand.likeThisProcess(StartupTraining.class.getName())
            .with(config.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(training.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String printed = Files.readString(output, UTF_8);
    assertThat(training.exitValue()).as(printed).isZero();
    assertThat(printed).contains("disk list", "healthy");
  }
}
