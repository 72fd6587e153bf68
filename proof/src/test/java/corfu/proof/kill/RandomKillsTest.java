package corfu.proof.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.protocol.Address;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills random servers of a cluster with a spare, while a client appends every two milliseconds. It
 * takes two and a half minutes, five times, so it runs only with the long tests: {@code ./corfu
 * test --long}.
 */
@EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
class RandomKillsTest {

  private static final int KILLS = 20;
  private static final int NODES = 4;
  private static final int SPARES = 1;
  private static final int REPLICAS = 2;
  private static final Duration DOWN = Duration.ofSeconds(2);
  private static final Duration UP = Duration.ofSeconds(4);
  private static final Duration STARTING = Duration.ofSeconds(60);
  private static final Duration BETWEEN_APPENDS = Duration.ofMillis(2);
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** Ignores shorter pauses, which a machine causes when servers start on it. */
  private static final Duration FELT = Duration.ofMillis(200);

  private final RealWorld world = new RealWorld();

  /** A client's appends, and the pauses between the successful ones. */
  private static final class Appends implements Runnable {
    private final World world;
    private final Corfu corfu;
    private final List<Duration> pauses = new ArrayList<>();
    private int failed;
    private volatile boolean over;

    private Appends(World world, Corfu corfu) {
      this.world = world;
      this.corfu = corfu;
    }

    @Override
    public void run() {
      long lastNanos = world.nanoTime();
      for (int i = 0; !over; i++) {
        try {
          Address unused = corfu.log().append(("entry " + i).getBytes(UTF_8));
        } catch (CorfuException failure) {
          failed++;
          continue;
        }
        long now = world.nanoTime();
        pauses.add(Duration.ofNanos(now - lastNanos));
        lastNanos = now;
        world.pause(BETWEEN_APPENDS);
      }
    }

    private List<Duration> felt() {
      return pauses.stream().filter(pause -> pause.compareTo(FELT) > 0).sorted().toList();
    }
  }

  @RepeatedTest(5)
  @Timeout(600)
  void appendsGoOnSoonAfterEachKill(@TempDir Path directory) throws InterruptedException {
    LocalCluster cluster = LocalCluster.at(directory.resolve("cluster"), world);
    var unusedConfig = cluster.create(NODES, SPARES, REPLICAS, UnitMode.DURABLE);
    JavaCommand java =
        new JavaCommand(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED"),
            System.getProperty("java.class.path"),
            "corfu.cli.Main");
    List<LocalServer> servers = cluster.start(java, STARTING);
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(cluster.endpoints()))) {
      Appends appends = new Appends(world, corfu);
      Thread client = Thread.ofVirtual().start(appends);
      world.pause(UP);
      for (int kill = 0; kill < KILLS; kill++) {
        String victim = servers.get(world.random().nextInt(servers.size())).name();
        cluster.kill(victim, STARTING);
        world.pause(DOWN);
        cluster.restart(List.of(victim), java, STARTING);
        world.pause(UP);
      }
      appends.over = true;
      client.join();
      List<Duration> felt = appends.felt();
      System.out.printf(
          "%d kills, %,d appends, %d failed; pauses of more than %d ms: %s%n",
          KILLS, appends.pauses.size(), appends.failed, FELT.toMillis(), millis(felt));
      assertThat(felt).allSatisfy(pause -> assertThat(pause).isLessThan(LONGEST));
      assertThat(appends.failed).isZero();
    } finally {
      var unused = cluster.stop(STARTING);
      world.close();
    }
  }

  private static List<Long> millis(List<Duration> pauses) {
    return pauses.stream().map(Duration::toMillis).toList();
  }
}
