package corfu.cli.cluster;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.ClusterConfig;
import corfu.node.ServerConfig;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.roles.logunit.options.UnitMode;
import corfu.transport.tls.TlsMode;
import corfu.world.RealWorld;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "start",
    description = {
      "Starts a cluster of processes on this machine.",
      "The first start in a directory makes a new cluster. A later start, for example after a"
          + " crash, starts the servers that do not run. The command waits until the cluster"
          + " serves."
    },
    footer = {
      "",
      "Examples:",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu cluster start --dir /tmp/c --nodes 4 --spares 1   with a spare server",
      "  corfu cluster start --dir /tmp/c --tls"
    })
final class ClusterStartCommand implements Callable<Integer> {

  private static final int DEFAULT_NODES = 3;
  private static final int DEFAULT_REPLICAS = 2;

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of servers of a new cluster, spares included, 1 or more (default: 3).")
  private Optional<Integer> nodes = Optional.empty();

  @Option(
      names = "--spares",
      paramLabel = "N",
      description = "Number of servers that wait to replace a failed one, 0 or more (default: 0).")
  private Optional<Integer> spares = Optional.empty();

  @Option(
      names = "--replicas",
      paramLabel = "R",
      description = "Number of copies of each entry, 1 or more (default: 2).")
  private Optional<Integer> replicas = Optional.empty();

  @Option(
      names = "--stream-replicas",
      paramLabel = "R",
      description =
          "Number of further copies of each entry in each of its streams, 0 or more. They are on"
              + " servers of their own, and make reads of streams fast (default: 0).")
  private Optional<Integer> streamReplicas = Optional.empty();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "Storage of acknowledged entries: durable (on disk), buffered (in the page cache), or"
              + " memory (lost when a server ends) (default: durable).")
  private Optional<UnitMode> mode = Optional.empty();

  @Option(
      names = "--tls",
      description =
          "Encrypt all connections of a new cluster, and let only clients with certificates in. Its"
              + " certificates are in DIR/pki; commands with --dir use them.")
  private boolean tls;

  @Mixin private final ServingTimeout timeout = new ServingTimeout();

  ClusterStartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      var cluster = directory.cluster(world);
      var config = cluster.exists() ? existing(cluster) : create(cluster);
      var started = new HashSet<String>();
      var java = CorfuProgram.command();
      cluster.start(java, timeout.value()).forEach(server -> started.add(server.name()));
      try (var out = new CommandOutput(terminal.out())) {
        for (LocalServer server : cluster.servers()) {
          ClusterCommand.printStarted(out, style, server, started.contains(server.name()));
        }
        if (!style.json()) {
          out.line(
              "%d servers%s, %d copies of each entry%s; try: echo hello | corfu append --dir %s"
                  .formatted(
                      config.servers().size(),
                      spares(config) == 0 ? "" : ", %d of them spare".formatted(spares(config)),
                      config.replicas(),
                      config.streamReplicas() == 0
                          ? ""
                          : " and %d in each of its streams".formatted(config.streamReplicas()),
                      cluster.directory()));
        }
      }
      return ExitCode.OK;
    }
  }

  private ClusterConfig create(LocalCluster cluster) {
    checkAtLeast(1, "--nodes", nodes);
    checkAtLeast(0, "--spares", spares);
    checkAtLeast(1, "--replicas", replicas);
    checkAtLeast(0, "--stream-replicas", streamReplicas);
    int servers = nodes.orElse(DEFAULT_NODES);
    int waiting = spares.orElse(0);
    int ofStreams = streamReplicas.orElse(0);
    int serving = servers - waiting - ofStreams;
    int copies = replicas.orElse(Math.min(DEFAULT_REPLICAS, serving));
    if (copies < 1 || copies > serving) {
      throw new CommandException(
          ExitCode.USAGE,
          ("a cluster needs 1 or more nodes that are not spares, and has from 1 to that many"
                  + " replicas, but not %d nodes, %d of them spares, and %d replicas%s")
              .formatted(servers, waiting, copies, ofStreams(ofStreams)));
    }
    var created =
        cluster.create(servers, waiting, copies, ofStreams, mode.orElse(UnitMode.DURABLE));
    return tls ? cluster.secure(TlsMode.REQUIRED) : created;
  }

  private static void checkAtLeast(int least, String option, Optional<Integer> given) {
    if (given.isPresent() && given.get() < least) {
      throw new CommandException(
          ExitCode.USAGE, "%s is %d or more, but not %d".formatted(option, least, given.get()));
    }
  }

  private static String ofStreams(int replicas) {
    return replicas == 0 ? "" : ", and " + replicas + " in each stream,";
  }

  private static int spares(ClusterConfig config) {
    return Math.toIntExact(config.servers().stream().filter(ServerConfig::spare).count());
  }

  private ClusterConfig existing(LocalCluster cluster) {
    var config = cluster.config();
    boolean same =
        nodes.map(n -> n == config.servers().size()).orElse(true)
            && spares.map(n -> n == spares(config)).orElse(true)
            && replicas.map(r -> r == config.replicas()).orElse(true)
            && streamReplicas.map(r -> r == config.streamReplicas()).orElse(true)
            && mode.map(m -> m == config.mode()).orElse(true);
    if (!same) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s holds a cluster of %d nodes with %d spares and %d replicas%s in %s mode: "
                  .formatted(
                      cluster.directory(),
                      config.servers().size(),
                      spares(config),
                      config.replicas(),
                      ofStreams(config.streamReplicas()),
                      config.mode().text())
              + "leave out --nodes, --spares, --replicas, --stream-replicas and --mode, or choose"
              + " another directory; "
              + "to add a server: corfu cluster add --dir "
              + cluster.directory());
    }
    if (tls && config.security().servers().mode() != TlsMode.REQUIRED) {
      throw new CommandException(
          ExitCode.USAGE,
          ("%s holds a cluster without TLS: leave out --tls, or choose another directory; to turn"
                  + " on TLS in this one: corfu cluster tls optional --dir %s")
              .formatted(cluster.directory(), cluster.directory()));
    }
    return config;
  }
}
