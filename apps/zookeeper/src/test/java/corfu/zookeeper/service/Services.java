package corfu.zookeeper.service;

import corfu.node.EmbeddedCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CutTransport;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Translation servers of one namespace on a log with one log unit, all in this process. */
final class Services implements AutoCloseable {

  /** The name of the only server of the log. */
  private static final String NODE = "n1";

  private static final int TICK_MILLIS = 50;
  private static final int MIN_TIMEOUT_MILLIS = 100;
  private static final int MAX_TIMEOUT_MILLIS = 120_000;

  /** Servers on any port, with a short tick. */
  static final ZooKeeperOptions OPTIONS =
      ZooKeeperOptions.DEFAULT
          .withClientAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .withMaxConnectionsPerHost(0)
          .withTimes(TICK_MILLIS, MIN_TIMEOUT_MILLIS, MAX_TIMEOUT_MILLIS);

  private final EmbeddedCluster cluster;
  private final List<ZooKeeperService> services = new ArrayList<>();
  private final List<Corfu> clients = new ArrayList<>();
  private final List<CutTransport> transports = new ArrayList<>();

  private Services(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts a log in memory, without translation servers. */
  static Services inMemory() {
    return new Services(EmbeddedCluster.builder().start());
  }

  /** Starts a log that outlives {@link #stopLog}. */
  static Services in(Path directory) {
    return new Services(
        EmbeddedCluster.builder().directory(directory).mode(UnitMode.BUFFERED).start());
  }

  /** Connects the client of the next server to the log. */
  void connect() {
    var transport = new CutTransport(cluster.transport());
    transports.add(transport);
    clients.add(
        Corfu.connect(
            cluster.clientOptions().withOperationTimeout(Duration.ofSeconds(2)),
            cluster.world(),
            transport));
  }

  /** Opens a server that need not serve yet. */
  ZooKeeperService open(ZooKeeperOptions options) throws IOException {
    if (clients.size() == services.size()) {
      connect();
    }
    ZooKeeperService service = ZooKeeperService.open(clients.getLast(), options);
    services.add(service);
    return service;
  }

  /** Starts a server, and returns when it serves. */
  ZooKeeperService start(ZooKeeperOptions options) throws IOException {
    ZooKeeperService service = open(options);
    service.awaitReady();
    return service;
  }

  ZooKeeperService start() throws IOException {
    return start(OPTIONS);
  }

  /** Cuts a server off from the log for ever. */
  void cut(ZooKeeperService service) {
    transports.get(services.indexOf(service)).cut();
  }

  void stopLog() {
    cluster.kill(NODE);
  }

  void startLog() {
    cluster.restart(NODE);
  }

  static String connectString(ZooKeeperService... servers) {
    List<String> hosts = new ArrayList<>();
    for (ZooKeeperService server : servers) {
      hosts.add("127.0.0.1:" + server.clientPort());
    }
    return String.join(",", hosts);
  }

  @Override
  public void close() {
    services.forEach(ZooKeeperService::close);
    clients.forEach(Corfu::close);
    cluster.close();
  }
}
