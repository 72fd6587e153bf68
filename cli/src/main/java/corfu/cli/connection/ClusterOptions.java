package corfu.cli.connection;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
public final class ClusterOptions {

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = {
        "The cluster in this directory, as started by: corfu cluster start --dir DIR",
        "(without --dir and --servers: CORFU_DIR or CORFU_SERVERS in the environment)."
      })
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--servers",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Servers of the cluster; one is enough, more are safer.")
  private List<Endpoint> servers = new ArrayList<>();

  @Option(names = "--default-dir", hidden = true, defaultValue = "${CORFU_DIR}")
  private Optional<Path> defaultDirectory = Optional.empty();

  @Option(
      names = "--default-servers",
      hidden = true,
      split = ",",
      defaultValue = "${CORFU_SERVERS}")
  private List<Endpoint> defaultServers = new ArrayList<>();

  @Option(
      names = "--cluster",
      paramLabel = "ID",
      description = "Refuse to talk to any other cluster than this one.")
  private Optional<ClusterId> cluster = Optional.empty();

  /** How to connect to it. */
  public CorfuOptions connection(Duration timeout) {
    CorfuOptions options = CorfuOptions.of(endpoints()).withOperationTimeout(timeout);
    return cluster.map(options::withCluster).orElse(options);
  }

  /** The environment counts where the command line says nothing. */
  private void check() {
    if (directory.isEmpty() && servers.isEmpty()) {
      directory = defaultDirectory;
      servers = defaultServers;
    }
    if (directory.isPresent() == !servers.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "say which cluster: either --dir DIR or --servers HOST:PORT,..., or set CORFU_DIR or"
              + " CORFU_SERVERS");
    }
  }

  private List<Endpoint> endpoints() {
    check();
    if (directory.isEmpty()) {
      return servers;
    }
    try (var world = new RealWorld()) {
      return existing(world).endpoints();
    }
  }

  private LocalCluster existing(World world) {
    var local = ClusterDirectory.at(directory.orElseThrow(), world);
    if (!local.exists()) {
      throw new CommandException(
          ExitCode.UNAVAILABLE,
          "there is no cluster in %s; to start one: corfu cluster start --dir %s"
              .formatted(local.directory(), directory.get()));
    }
    return local;
  }

  /** The servers' processes, where the cluster is one of this machine; else nobody. */
  public List<LocalServer> processes() {
    check();
    if (directory.isEmpty()) {
      return List.of();
    }
    try (var world = new RealWorld()) {
      return existing(world).servers();
    }
  }

  /** How its servers look after each other, as far as that is known here. */
  public Supervision supervision() {
    check();
    if (directory.isEmpty()) {
      return Supervision.DEFAULT;
    }
    try (var world = new RealWorld()) {
      return existing(world).config().supervision();
    }
  }

  /** What to add to a command line to mean the same cluster. */
  public String text() {
    check();
    return directory
        .map(path -> "--dir " + path)
        .orElseGet(
            () ->
                "--servers " + String.join(",", servers.stream().map(Endpoint::toString).toList()));
  }
}
