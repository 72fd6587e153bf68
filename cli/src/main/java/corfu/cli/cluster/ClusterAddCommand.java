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
    name = "add",
    description = {
      "Starts another server on a free port, and adds it to the configuration.",
      "The server has no role yet; corfu layout add gives it one."
    },
    footer = {
      "",
      "Examples:",
      "  corfu cluster add --dir /tmp/c",
      "  corfu layout add n4 --dir /tmp/c"
    })
final class ClusterAddCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final ServingTimeout timeout = new ServingTimeout();

  ClusterAddCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      var cluster = directory.cluster(world);
      var server = cluster.add(CorfuProgram.command(), timeout.value());
      ClusterCommand.printStarted(out, style, server, true);
      if (!style.json()) {
        out.line(
            "to put it to use: corfu layout add %s --dir %s"
                .formatted(server.name(), cluster.directory()));
      }
      return ExitCode.OK;
    }
  }
}
