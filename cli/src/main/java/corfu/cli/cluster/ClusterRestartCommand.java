package corfu.cli.cluster;

import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "restart",
    description = {
      "Starts servers again that were killed, or ends and starts those that run.",
      "Waits until they answer and the cluster serves."
    },
    footer = {"", "Example:", "  corfu cluster restart n2 --dir /tmp/c"})
final class ClusterRestartCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "The servers: n1, n2, ...")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long to wait until the cluster serves (default: 60s).")
  private Duration timeout = Duration.ofSeconds(60);

  ClusterRestartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new Output(terminal.out())) {
      var java = CorfuProgram.command();
      var distinct = names.stream().distinct().toList();
      directory
          .cluster(world)
          .restart(distinct, java, timeout)
          .forEach(server -> ClusterCommand.printStarted(out, style, server, true));
      return ExitCode.OK;
    }
  }
}
