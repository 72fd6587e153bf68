package corfu.cli;

import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "cluster",
    description = {
      "Starts, shows, kills and stops a cluster of processes on this machine.",
      "For trying things out. What it stores, its configuration, its logs and its process ids are"
          + " in one directory."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu cluster kill n2 --dir /tmp/c",
      "  corfu cluster status --dir /tmp/c",
      "  corfu cluster stop --dir /tmp/c"
    })
final class ClusterCommand implements Commands.CommandGroup {

  ClusterCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new ClusterStartCommand(terminal),
        new StatusCommand(terminal),
        new ClusterKillCommand(terminal),
        new ClusterRestartCommand(terminal),
        new ClusterAddCommand(terminal),
        new ClusterStopCommand(terminal));
  }

  /** A server that runs now. */
  static void printStarted(Output out, OutputOptions style, LocalServer server, boolean started) {
    long pid = server.process().map(ProcessHandle::pid).orElse(0L);
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("server", server.name());
            json.writeStringField("address", server.endpoint().toString());
            json.writeNumberField("pid", pid);
            json.writeBooleanField("started", started);
          });
    } else {
      out.line(
          "%-6s %-21s process %-8d %s"
              .formatted(
                  server.name(), server.endpoint(), pid, started ? "started" : "was running"));
    }
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
      return at(directory, world);
    }

    /** The cluster in a directory, where there may be none. */
    static LocalCluster at(Path directory, World world) {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw new CommandException(
            ExitCode.USAGE,
            "--dir names a cluster's directory, but %s is a file".formatted(directory));
      }
      return LocalCluster.at(directory, world);
    }
  }
}
