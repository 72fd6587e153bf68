package corfu.cli;

import corfu.node.local.LocalCluster;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
final class ConnectionOptions {

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The cluster in this directory, as started by: corfu cluster start --dir DIR")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--servers",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Servers of the cluster; one is enough, more are safer.")
  private List<Endpoint> servers = new ArrayList<>();

  @Option(
      names = "--cluster",
      paramLabel = "ID",
      description = "Refuse to talk to any other cluster than this one.")
  private Optional<ClusterId> cluster = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long an operation may take, as 500ms, 10s or 2m (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  /** Connects; the caller closes. */
  Corfu connect() {
    return Corfu.connect(options());
  }

  CorfuOptions options() {
    CorfuOptions options = CorfuOptions.of(endpoints()).withOperationTimeout(timeout);
    return cluster.map(options::withCluster).orElse(options);
  }

  private List<Endpoint> endpoints() {
    if (directory.isPresent() == !servers.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE, "say which cluster: either --dir DIR or --servers HOST:PORT,...");
    }
    if (directory.isEmpty()) {
      return servers;
    }
    try (var world = new RealWorld()) {
      var cluster = LocalCluster.at(directory.get(), world);
      if (!cluster.exists()) {
        throw new CommandException(
            ExitCode.UNAVAILABLE,
            "there is no cluster in %s; to start one: corfu cluster start --dir %s"
                .formatted(cluster.directory(), directory.get()));
      }
      return cluster.endpoints();
    }
  }
}
