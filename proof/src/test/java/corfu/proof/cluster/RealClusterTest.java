package corfu.proof.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shipped server as real processes, on machines that are network namespaces. Faults lose no
 * data, and no client reads anything wrong.
 *
 * <p>{@code -Dcluster.seconds=N} makes the test longer, and {@code -Dcluster.seed=S} chooses other
 * faults. A machine that allows no namespaces skips the test. With {@code
 * CORFU_TEST_NAMESPACES=required} in the environment the test fails there instead.
 */
class RealClusterTest {

  private static final long SECONDS = Long.getLong("cluster.seconds", 35);
  private static final long SEED = Long.getLong("cluster.seed", 1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void nothingIsLostWhateverBefallsTheServers() throws Exception {
    Enclosure enclosure = Enclosure.ofThisMachine();
    requireNamespaces(enclosure);
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            Campaign.class.getName(),
            Long.toString(SECONDS),
            Long.toString(SEED),
            directory.toString());
    ProcessBuilder builder = new ProcessBuilder(enclosure.within(command));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectErrorStream(true);
    Path log = directory.resolve("campaign.log");
    builder.redirectOutput(log.toFile());
    Process campaign = builder.start();
    boolean isOver = campaign.waitFor(SECONDS + 240, TimeUnit.SECONDS);
    campaign.destroyForcibly().waitFor();

    String said = new String(java.nio.file.Files.readAllBytes(log), UTF_8);
    System.out.println(said);
    assertThat(isOver).as(said).isTrue();
    assertThat(campaign.exitValue()).as(said).isZero();
  }

  private static void requireNamespaces(Enclosure enclosure) {
    String obstacle = "this machine allows no network namespaces: " + enclosure.obstacle();
    if ("required".equals(System.getenv("CORFU_TEST_NAMESPACES"))) {
      assertThat(enclosure.obstacle()).as(obstacle).isEmpty();
    } else {
      assumeTrue(enclosure.obstacle().isEmpty(), obstacle);
    }
  }
}
