package corfu.cli.server;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.ServerConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "server",
    description = {
      "Runs one server of a cluster until you stop it.",
      "The configuration file names all servers, and is the same on every machine. When all servers"
          + " run, start a new cluster with: corfu layout bootstrap --config FILE"
    },
    footer = {"", "Example:", "  corfu server --config corfu.toml --name n1"})
public final class ServerCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "Configuration file of the cluster.")
  private Path config = Path.of("corfu.toml");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the server to run (default: the only server of the file).")
  private Optional<String> name = Optional.empty();

  public ServerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Logging.talkative();
    var cluster = ClusterConfig.read(config);
    String server = nameIn(cluster);
    var node = Node.start(cluster, server);
    Runtime.getRuntime().addShutdownHook(new Thread(node::close, "shutdown"));
    style.print(
        terminal,
        "server " + server + " listens on " + node.endpoint(),
        json -> {
          json.writeStringField("server", server);
          json.writeStringField("address", node.endpoint().toString());
        });
    node.awaitClosed();
    return ExitCode.OK;
  }

  private String nameIn(ClusterConfig cluster) {
    var names = cluster.servers().stream().map(ServerConfig::name).toList();
    String known = names.stream().collect(Collectors.joining(", "));
    if (name.isEmpty() && names.size() > 1) {
      throw new CommandException(
          ExitCode.USAGE, "say which server this is: --name with one of " + known);
    }
    String wanted = name.orElseGet(names::getFirst);
    if (!names.contains(wanted)) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s has no server '%s'; its servers are %s".formatted(config, wanted, known));
    }
    return wanted;
  }
}
