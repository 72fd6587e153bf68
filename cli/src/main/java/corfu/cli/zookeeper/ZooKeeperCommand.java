package corfu.cli.zookeeper;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "zookeeper",
    description = {
      "Serves the clients of Apache ZooKeeper from the log.",
      "Clients need no change. Any number of servers may serve a namespace. A server keeps nothing"
          + " on disk, so servers may come and go."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu zookeeper serve --dir /tmp/c --port 2181",
      "  corfu zookeeper import --dir /tmp/c /var/lib/zookeeper",
      "  corfu zookeeper export --dir /tmp/c /tmp/zookeeper",
      "  corfu zookeeper demo"
    })
public final class ZooKeeperCommand implements CommandGroup {

  public ZooKeeperCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new ZooKeeperServeCommand(terminal),
        new ZooKeeperImportCommand(terminal),
        new ZooKeeperExportCommand(terminal),
        new ZooKeeperDemoCommand(terminal));
  }
}
