package corfu.cli.cluster;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "stop",
    description = "Stops all servers of the cluster, and waits until they have ended.",
    footer = {"", "Example:", "  corfu cluster stop --dir /tmp/c"})
final class ClusterStopCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "Time limit of the servers' end, as 30s or 1m (default: 30s).")
  private Duration timeout = Duration.ofSeconds(30);

  ClusterStopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      var servers = directory.cluster(world).stop(timeout);
      servers.forEach(server -> print(out, server));
      if (servers.isEmpty() && !style.json()) {
        out.line("no server was running");
      }
      out.flush();
      failIfAnyRuns(servers);
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, LocalServer server) {
    long pid = server.process().map(ProcessHandle::pid).orElse(0L);
    boolean stopped = !LocalCluster.isAlive(server);
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("server", server.name());
            json.writeNumberField("pid", pid);
            json.writeBooleanField("stopped", stopped);
          });
    } else {
      out.line(
          "%-6s process %-8d %s".formatted(server.name(), pid, stopped ? "stopped" : "still runs"));
    }
  }

  private static void failIfAnyRuns(List<LocalServer> servers) {
    var left =
        servers.stream()
            .filter(LocalCluster::isAlive)
            .flatMap(server -> server.process().stream())
            .map(process -> Long.toString(process.pid()))
            .toList();
    if (!left.isEmpty()) {
      throw new CommandException(
          ExitCode.FAILED,
          "processes that did not end in time: %s; wait longer, or: kill -9 %s"
              .formatted(String.join(", ", left), String.join(" ", left)));
    }
  }
}
