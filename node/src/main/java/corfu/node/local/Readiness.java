package corfu.node.local;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.ServerConfig;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.ServerReport;
import corfu.runtime.UnavailableException;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Waits until these servers answer, the cluster is bootstrapped, and its sequencer serves. */
final class Readiness {

  private static final Duration POLL = Duration.ofMillis(50);

  /** Bounds one look. It is short: a starting server answers within it, or in a later look. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ClusterConfig config;
  private final List<ServerConfig> servers;
  private final List<StartedServer> started;
  private final long deadline;
  private final World world;

  /**
   * @param config the cluster's configuration
   * @param servers the servers that must answer
   * @param started those of them that must not end
   * @param deadline the deadline by the world's clock, in nanoseconds
   * @param world the clock
   */
  Readiness(
      ClusterConfig config,
      List<ServerConfig> servers,
      List<StartedServer> started,
      long deadline,
      World world) {
    this.config = config;
    this.servers = servers;
    this.started = started;
    this.deadline = deadline;
    this.world = world;
  }

  void await() {
    String problem = look();
    while (!problem.isEmpty()) {
      started.forEach(StartedServer::failIfEnded);
      if (world.nanoTime() > deadline) {
        throw new LocalClusterException(
            "the cluster's processes run, but it does not serve yet: " + problem);
      }
      world.pause(POLL);
      problem = look();
    }
    started.forEach(StartedServer::failIfEnded);
  }

  /** Returns what is still missing, or an empty text. */
  private String look() {
    try {
      Bootstrap.bootstrap(config, LOOK);
      var awaited = servers.stream().map(ServerConfig::listen).toList();
      try (var corfu =
          Corfu.connect(
              CorfuOptions.of(config.endpoints())
                  .withTls(config.security().ofCommands())
                  .withOperationTimeout(LOOK))) {
        corfu.log().tail();
        return corfu.servers().stream()
            .filter(report -> awaited.contains(report.endpoint()))
            .filter(report -> report.status().isEmpty())
            .map(ServerReport::problem)
            .collect(Collectors.joining("; "));
      }
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
