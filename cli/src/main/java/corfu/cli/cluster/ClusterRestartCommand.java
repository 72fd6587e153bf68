package corfu.cli.cluster;

import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.world.RealWorld;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "restart",
    description = {
      "Restarts servers, whether they run or not.",
      "The command waits until they answer and the cluster serves."
    },
    footer = {"", "Example:", "  corfu cluster restart n2 --dir /tmp/c"})
final class ClusterRestartCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final ServerNamesParameter servers = new ServerNamesParameter();

  @Mixin private final ServingTimeout timeout = new ServingTimeout();

  ClusterRestartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      var java = CorfuProgram.command();
      directory
          .cluster(world)
          .restart(servers.values(), java, timeout.value())
          .forEach(server -> ClusterCommand.printStarted(out, style, server, true));
      return ExitCode.OK;
    }
  }
}
