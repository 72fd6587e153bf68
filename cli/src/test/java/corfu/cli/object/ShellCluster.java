package corfu.cli.object;

import corfu.cli.Ran;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster in this JVM, and commands about it. */
final class ShellCluster implements AutoCloseable {

  private final Path directory;
  private final ClusterConfig config;
  private final List<Node> nodes = new ArrayList<>();

  /** Starts a cluster of one server, whose configuration is in this directory. */
  ShellCluster(Path directory) {
    this.directory = directory;
    try (var world = new RealWorld()) {
      config = LocalCluster.at(directory, world).create(1, 1, UnitMode.MEMORY);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  /** Runs a command about the cluster, with this text as its standard input. */
  Ran corfu(String input, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  /** Runs the shell with these lines as its standard input. */
  Ran shell(String... lines) {
    return corfu(String.join("\n", lines) + "\n", "shell");
  }

  /** Connects; the caller closes. */
  Corfu connect() {
    return Corfu.connect(CorfuOptions.of(List.of(config.servers().getFirst().listen())));
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
