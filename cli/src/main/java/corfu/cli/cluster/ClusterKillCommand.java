package corfu.cli.cluster;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "kill",
    description = {
      "Kills servers, as kill -9 does.",
      "To watch the cluster replace them: corfu status --watch"
    },
    footer = {"", "Example:", "  corfu cluster kill n2 --dir /tmp/c"})
final class ClusterKillCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final ServerNamesParameter servers = new ServerNamesParameter();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Time limit of each server's end, as 10s or 1m (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  ClusterKillCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      var cluster = directory.cluster(world);
      var config = cluster.config();
      List<String> names = servers.values();
      names.forEach(config::server); // a wrong name kills no server
      for (String name : names) {
        var server = cluster.kill(name, timeout);
        long pid = server.process().map(ProcessHandle::pid).orElse(0L);
        if (style.json()) {
          out.json(
              json -> {
                json.writeStringField("server", name);
                json.writeNumberField("pid", pid);
                json.writeBooleanField("killed", server.isRunning());
              });
        } else {
          out.line(
              server.isRunning()
                  ? "%-6s process %-8d killed".formatted(name, pid)
                  : "%-6s was not running".formatted(name));
        }
      }
      return ExitCode.OK;
    }
  }
}
