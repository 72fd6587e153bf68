package corfu.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Main;
import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The work of a server before it listens; each failure takes as long. */
class ServerStartTest {

  /** Some ten times what it takes; it took two seconds when it made every type of objects. */
  private static final Duration PROCESSOR_TIME = Duration.ofSeconds(10);

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void aServerListensBeforeItMakesTypesOfObjects() throws Exception {
    try (var world = new RealWorld()) {
      LocalCluster.at(directory, world).create(1, 1, UnitMode.MEMORY);
    }
    Path loaded = directory.resolve("classes.log");
    JavaCommand java = JavaCommand.likeThisProcess(Main.class.getName());
    List<String> flags = new ArrayList<>(java.flags());
    flags.add("-Xlog:class+load:file=" + loaded);
    String config = directory.resolve(LocalCluster.CONFIG).toString();
    Process server =
        new JavaCommand(java.executable(), flags, java.classPath(), java.mainClass())
            .with("server", "--config", config, "--name", "n1")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var out = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).startsWith("server n1 listens on");
      Duration cpu = server.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
      assertThat(cpu).isLessThan(PROCESSOR_TIME);
      assertThat(Files.readString(loaded)).contains("corfu.node.Node").doesNotContain("bytebuddy");
    } finally {
      server.destroyForcibly().waitFor();
    }
  }
}
