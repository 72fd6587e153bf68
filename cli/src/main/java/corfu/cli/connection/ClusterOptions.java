package corfu.cli.connection;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the cluster of a command. */
public final class ClusterOptions {

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Directory of a cluster on this machine, which corfu cluster start made (default: the"
              + " environment's CORFU_DIR).")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--servers",
      paramLabel = "SERVERS",
      split = ",",
      hideParamSyntax = true,
      description =
          "Servers of the cluster, as HOST:PORT,HOST:PORT. One is enough; with more, some may be"
              + " down (default: the environment's CORFU_SERVERS).")
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
      description = "Id of the cluster, a UUID. The command refuses any other cluster.")
  private Optional<ClusterId> cluster = Optional.empty();

  @Mixin private final TlsClientOptions tls = new TlsClientOptions();

  /** Returns the options of a connection to the cluster. */
  public CorfuOptions connection(Duration timeout) {
    CorfuOptions options = clientOptions().withOperationTimeout(timeout);
    return cluster.map(options::withCluster).orElse(options);
  }

  /** Uses the environment if the command line names no cluster. */
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

  private CorfuOptions clientOptions() {
    check();
    if (directory.isEmpty()) {
      return CorfuOptions.of(servers).withTls(tls.options());
    }
    try (var world = new RealWorld()) {
      CorfuOptions local = existing(world).clientOptions();
      return local.withTls(tls.options(Optional.of(local.tls())));
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

  /** Returns the servers' processes, or nothing if the cluster is not on this machine. */
  public List<LocalServer> processes() {
    check();
    if (directory.isEmpty()) {
      return List.of();
    }
    try (var world = new RealWorld()) {
      return existing(world).servers();
    }
  }

  /** Returns the administrators that the configuration names, or none if it is not known here. */
  List<Subject> administrators() {
    check();
    if (directory.isEmpty()) {
      return List.of();
    }
    try (var world = new RealWorld()) {
      return existing(world)
          .config()
          .access()
          .map(TrustedIdentities::administrators)
          .orElse(List.of());
    }
  }

  /** Returns the failure detection's settings, or the defaults if they are not known here. */
  public Supervision supervision() {
    check();
    if (directory.isEmpty()) {
      return Supervision.DEFAULT;
    }
    try (var world = new RealWorld()) {
      return existing(world).config().supervision();
    }
  }

  /** Returns the arguments that name the same cluster in another process. */
  List<String> arguments() {
    check();
    List<String> arguments = new ArrayList<>();
    directory.ifPresentOrElse(
        path -> arguments.addAll(List.of("--dir", path.toString())),
        () ->
            arguments.addAll(
                List.of(
                    "--servers",
                    String.join(",", servers.stream().map(Endpoint::toString).toList()))));
    cluster.ifPresent(id -> arguments.addAll(List.of("--cluster", id.toString())));
    arguments.addAll(tls.given());
    return arguments;
  }

  /** Returns the options that name the same cluster on another command line. */
  public String text() {
    check();
    return directory
        .map(path -> "--dir " + path)
        .orElseGet(
            () ->
                "--servers " + String.join(",", servers.stream().map(Endpoint::toString).toList()));
  }
}
