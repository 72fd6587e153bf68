package corfu.zookeeper.subject;

import corfu.node.EmbeddedCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** The main class of the process of a {@link CorfuSubject}. It ends when its input ends. */
final class CorfuServer {

  private CorfuServer() {}

  /**
   * Serves until the input ends.
   *
   * @param args the directory of the log, the port (0 means any), the tick, the shortest and the
   *     longest session timeout, the limit of connections from one address, the interval of looks
   *     for unused nodes. Times are in milliseconds.
   */
  public static void main(String[] args) throws Exception {
    ZooKeeperOptions options =
        ZooKeeperOptions.DEFAULT
            .withClientAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), intOf(args[1])))
            .withTimes(intOf(args[2]), intOf(args[3]), intOf(args[4]))
            .withMaxConnectionsPerHost(intOf(args[5]))
            .withUnusedCheckEvery(Duration.ofMillis(intOf(args[6])));
    EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .nodes(2)
            .replicas(2)
            .directory(Path.of(args[0]))
            .mode(UnitMode.BUFFERED)
            .start();
    ZooKeeperService service = ZooKeeperService.open(cluster.connect(), options);
    service.awaitReady();
    System.out.println(RealServer.READY + service.clientPort());
    while (System.in.read() >= 0) {
      // The parent process writes nothing. The input ends with it.
    }
    Runtime.getRuntime().halt(0);
  }

  private static int intOf(String argument) {
    return Integer.parseInt(argument);
  }
}
