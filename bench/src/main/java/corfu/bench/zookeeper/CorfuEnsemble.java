package corfu.bench.zookeeper;

import corfu.bench.harness.BenchCluster;
import corfu.node.local.JavaCommand;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Translation servers on a log of three servers, whose entries have three copies that are synced.
 * The translation servers store nothing.
 */
final class CorfuEnsemble implements Ensemble {

  static final String NAME = "corfu";

  private static final int LOG_SERVERS = 3;
  private static final Duration START = Duration.ofMinutes(3);

  private final JavaCommand java;
  private final int heapMiB;
  private final Poll poll;
  private final BenchCluster log;
  private final List<Integer> ports;
  private final List<EnsembleServer> servers = new ArrayList<>();

  private CorfuEnsemble(
      JavaCommand java, int heapMiB, Poll poll, BenchCluster log, List<Integer> ports) {
    this.java = java;
    this.heapMiB = heapMiB;
    this.poll = poll;
    this.log = log;
    this.ports = ports;
  }

  /**
   * Starts a log and its translation servers, and waits until all of these grant sessions.
   *
   * @param java starts the {@code corfu} command
   * @param count the number of translation servers, 1 or more
   * @param heapMiB the maximal heap of each translation server, in MiB
   */
  static CorfuEnsemble start(JavaCommand java, int count, int heapMiB, Poll poll)
      throws IOException, InterruptedException {
    var log =
        BenchCluster.start(java, BenchCluster.Shape.of(LOG_SERVERS, LOG_SERVERS, UnitMode.DURABLE));
    var ensemble = new CorfuEnsemble(java, heapMiB, poll, log, FreePorts.find(count));
    try {
      var _ = ensemble.startServers();
      return ensemble;
    } catch (IOException | RuntimeException | InterruptedException e) {
      ensemble.close();
      throw e;
    }
  }

  private Duration startServers() throws IOException, InterruptedException {
    String endpoints =
        log.endpoints().stream().map(Endpoint::toString).collect(Collectors.joining(","));
    long begin = System.nanoTime();
    for (int port : ports) {
      Path output = log.directory().resolve("zookeeper-%d.log".formatted(port));
      servers.add(
          EnsembleServer.start(
              java, heapMiB, output, port, java.mainClass(), arguments(endpoints, port, poll)));
    }
    for (EnsembleServer server : servers) {
      server.await(START);
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Returns the arguments of the {@code corfu} command for a translation server. */
  static String[] arguments(String endpoints, int port, Poll poll) {
    return new String[] {
      "zookeeper",
      "serve",
      "--servers",
      endpoints,
      "--port",
      Integer.toString(port),
      "--poll",
      poll.text()
    };
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<EnsembleServer> servers() {
    return List.copyOf(servers);
  }

  @Override
  public List<Duration> storageCpu() {
    return log.cpuOfEach();
  }

  /** Starts only the translation servers again. They read a checkpoint from the log. */
  @Override
  public Duration restart() throws IOException, InterruptedException {
    stopServers();
    return startServers();
  }

  private void stopServers() {
    servers.forEach(EnsembleServer::close);
    servers.clear();
  }

  @Override
  public void close() {
    stopServers();
    log.close();
  }
}
