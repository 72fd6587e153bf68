package corfu.bench.zookeeper;

import corfu.node.local.JavaCommand;
import corfu.node.local.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Apache ZooKeeper from the class path of this build. It syncs its transaction logs. An ensemble of
 * one server is standalone.
 */
final class RealEnsemble implements Ensemble {

  static final String NAME = "zookeeper";

  private static final Duration START = Duration.ofMinutes(3);
  private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

  private final String name;
  private final JavaCommand java;
  private final int heapMiB;
  private final TemporaryDirectory directory;
  private final List<Integer> ports;
  private final List<EnsembleServer> servers = new ArrayList<>();
  private final Thread cleaner = new Thread(this::remove, "cleaner");

  private RealEnsemble(
      String name,
      JavaCommand java,
      int heapMiB,
      TemporaryDirectory directory,
      List<Integer> ports) {
    this.name = name;
    this.java = java;
    this.heapMiB = heapMiB;
    this.directory = directory;
    this.ports = ports;
  }

  /**
   * Starts an ensemble and waits until all servers grant sessions.
   *
   * @param count the number of servers, 1 or more
   * @param heapMiB the maximal heap of each server, in MiB
   */
  static RealEnsemble start(JavaCommand java, int count, int heapMiB)
      throws IOException, InterruptedException {
    return start(java, count, heapMiB, NAME);
  }

  /** Starts an ensemble with another name for the load process. */
  static RealEnsemble start(JavaCommand java, int count, int heapMiB, String name)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(3 * count);
    var ensemble =
        new RealEnsemble(
            name,
            java,
            heapMiB,
            TemporaryDirectory.create("corfu-bench-"),
            ports.subList(0, count));
    Runtime.getRuntime().addShutdownHook(ensemble.cleaner);
    try {
      ensemble.configure(ports.subList(count, 3 * count));
      var _ = ensemble.startServers();
      return ensemble;
    } catch (IOException | RuntimeException | InterruptedException e) {
      ensemble.close();
      throw e;
    }
  }

  private void configure(List<Integer> ensemblePorts) throws IOException {
    for (int i = 0; i < ports.size(); i++) {
      Path data = Files.createDirectories(data(i));
      Files.writeString(data.resolve("myid"), Integer.toString(i + 1));
      Files.writeString(configuration(i), text(data, ports.get(i), ensemblePorts));
    }
  }

  private Path data(int server) {
    return directory.path().resolve("data" + (server + 1));
  }

  private Path configuration(int server) {
    return directory.path().resolve("zoo%d.cfg".formatted(server + 1));
  }

  /**
   * Returns the configuration of a server.
   *
   * @param ensemblePorts two ports for each server
   */
  static String text(Path data, int clientPort, List<Integer> ensemblePorts) {
    StringBuilder text =
        new StringBuilder(
            """
            tickTime=2000
            initLimit=30
            syncLimit=15
            dataDir=%s
            clientPortAddress=127.0.0.1
            clientPort=%d
            maxClientCnxns=0
            admin.enableServer=false
            forceSync=yes
            """
                .formatted(data, clientPort));
    if (ensemblePorts.size() > 2) {
      for (int i = 0; i < ensemblePorts.size(); i += 2) {
        text.append(
            "server.%d=127.0.0.1:%d:%d\n"
                .formatted(i / 2 + 1, ensemblePorts.get(i), ensemblePorts.get(i + 1)));
      }
    }
    return text.toString();
  }

  private Duration startServers() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    for (int i = 0; i < ports.size(); i++) {
      servers.add(
          EnsembleServer.start(
              java,
              heapMiB,
              directory.path().resolve("server%d.log".formatted(i + 1)),
              ports.get(i),
              MAIN,
              configuration(i).toString()));
    }
    for (EnsembleServer server : servers) {
      server.await(START);
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<EnsembleServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns the index of the leader. */
  int leader() throws IOException {
    for (int i = 0; i < servers.size(); i++) {
      if (ServerProbe.isLeader(servers.get(i).port())) {
        return i;
      }
    }
    throw new IllegalStateException("no server of %s leads".formatted(connectString()));
  }

  @Override
  public List<Duration> storageCpu() {
    return List.of();
  }

  @Override
  public Duration restart() throws IOException, InterruptedException {
    stopServers();
    return startServers();
  }

  private void stopServers() {
    servers.forEach(EnsembleServer::close);
    servers.clear();
  }

  private void remove() {
    stopServers();
    directory.close();
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }
}
