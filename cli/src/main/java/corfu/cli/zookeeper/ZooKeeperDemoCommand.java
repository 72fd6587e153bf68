package corfu.cli.zookeeper;

import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import corfu.node.local.TemporaryDirectory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "demo",
    description = {
      "Demonstrates servers of a namespace, with a failure.",
      "The demo starts a cluster of three log servers and three servers of a namespace. Three"
          + " clients elect a leader and count under a lock, by Curator's recipes. The demo kills a"
          + " server, and the clients count on. It adds a server, writes a checkpoint, and starts a"
          + " server from it. The exit status is 0 only if every check passes. The demo deletes its"
          + " files."
    },
    footer = {"", "Example:", "  corfu zookeeper demo"})
final class ZooKeeperDemoCommand implements Callable<Integer> {

  private final Terminal terminal;

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  ZooKeeperDemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Logging.silent(); // clients would log the death of a server
    try (var directory = TemporaryDirectory.create("corfu-demo-");
        var out = new CommandOutput(terminal.out());
        var demo =
            new ZooKeeperDemo(
                directory.path().resolve("cluster"),
                line -> {
                  out.line(line);
                  out.flush();
                })) {
      demo.run();
    }
    return ExitCode.OK;
  }
}
