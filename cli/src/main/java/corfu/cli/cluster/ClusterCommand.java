package corfu.cli.cluster;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.status.StatusCommand;
import corfu.node.local.LocalServer;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "cluster",
    description = {
      "Starts, shows, kills and stops a cluster of processes on this machine.",
      "Such a cluster is for trials. One directory holds its data, its configuration, its logs and"
          + " its process ids."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu cluster kill n2 --dir /tmp/c",
      "  corfu cluster status --dir /tmp/c",
      "  corfu cluster stop --dir /tmp/c"
    })
public final class ClusterCommand implements CommandGroup {

  public ClusterCommand(Terminal terminal) {}

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
        new ClusterTlsCommand(terminal),
        new ClusterAccessCommand(terminal),
        new ClusterStopCommand(terminal));
  }

  /** Prints a server that runs now. */
  static void printStarted(
      CommandOutput out, OutputOptions style, LocalServer server, boolean started) {
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
}
