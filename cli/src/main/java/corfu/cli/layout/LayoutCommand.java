package corfu.cli.layout;

import corfu.cli.command.CommandException;
import corfu.cli.command.CommandGroup;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.connection.TlsClientOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.runtime.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "layout",
    description = "Shows or changes the layout: the roles of the cluster's servers.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu layout show --dir /tmp/c",
      "  corfu layout drain n2 --dir /tmp/c"
    })
public final class LayoutCommand implements CommandGroup {

  public LayoutCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new Show(terminal),
        new LayoutAddCommand(terminal),
        new LayoutDrainCommand(terminal),
        new LayoutReplaceCommand(terminal),
        new LayoutRemoveCommand(terminal),
        new LayoutRenewCommand(terminal),
        new Start(terminal));
  }

  private static int print(Layout layout, OutputOptions style, Terminal terminal) {
    try (var out = new CommandOutput(terminal.out())) {
      out.line(style.json() ? LayoutJson.compact(layout) : LayoutJson.pretty(layout));
    }
    return ExitCode.OK;
  }

  @Command(
      name = "show",
      description = "Prints the newest layout as JSON; with --json, on one line.",
      footer = {"", "Example:", "  corfu layout show --dir /tmp/c"})
  private static final class Show implements Callable<Integer> {

    private final Terminal terminal;
    @Mixin private final ConnectionOptions connection = new ConnectionOptions();
    @Mixin private final OutputOptions style = new OutputOptions();

    private Show(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      try (var corfu = connection.connect()) {
        return print(corfu.layout(), style, terminal);
      }
    }
  }

  @Command(
      name = "bootstrap",
      description = {
        "Decides the first layout of a new cluster, and prints it.",
        "All servers must run. If the cluster already has a layout, the command prints that one and"
            + " changes nothing."
      },
      footer = {"", "Example:", "  corfu layout bootstrap --config corfu.toml"})
  private static final class Start implements Callable<Integer> {

    private final Terminal terminal;
    @Mixin private final OutputOptions style = new OutputOptions();

    @Option(
        names = "--config",
        paramLabel = "FILE",
        required = true,
        description = "Configuration file of the cluster.")
    private Path config = Path.of("corfu.toml");

    @Mixin private final TlsClientOptions tls = new TlsClientOptions();

    @Option(
        names = "--timeout",
        paramLabel = "TIME",
        defaultValue = "30s",
        description = "Time limit of the servers' start, as 30s or 2m (default: 30s).")
    private Duration timeout = Duration.ofSeconds(30);

    private Start(Terminal terminal) {
      this.terminal = terminal;
    }

    private Layout bootstrap(ClusterConfig cluster) {
      var how = tls.options(Optional.of(cluster.security().ofCommands()));
      return Bootstrap.bootstrap(cluster, how, timeout);
    }

    @Override
    public Integer call() {
      ClusterConfig cluster = ClusterConfig.read(config);
      try {
        return print(bootstrap(cluster), style, terminal);
      } catch (UnavailableException timedOut) {
        var told =
            new CommandException(
                ExitCode.UNAVAILABLE,
                ("%s; start the servers that do not answer, and run this again: that is safe,"
                        + " however far it got")
                    .formatted(timedOut.getMessage()));
        told.initCause(timedOut);
        throw told;
      }
    }
  }
}
