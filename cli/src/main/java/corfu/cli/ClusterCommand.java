package corfu.cli;

import corfu.node.local.LocalCluster;
import corfu.world.World;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "cluster",
    description = {
      "Starts, shows and stops a cluster of processes on this machine.",
      "For trying things out. What it stores, its configuration, its logs and its process ids are"
          + " in one directory."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu cluster status --dir /tmp/c",
      "  corfu cluster stop --dir /tmp/c"
    })
final class ClusterCommand implements Commands.CommandGroup {

  ClusterCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  private boolean help;

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new ClusterStartCommand(terminal),
        new ClusterStatusCommand(terminal),
        new ClusterStopCommand(terminal));
  }

  /** Which cluster. */
  static final class Directory {

    @Option(
        names = "--dir",
        paramLabel = "DIR",
        required = true,
        description = "The cluster's directory.")
    private Path directory = Path.of(".");

    LocalCluster cluster(World world) {
      return LocalCluster.at(directory, world);
    }
  }
}
