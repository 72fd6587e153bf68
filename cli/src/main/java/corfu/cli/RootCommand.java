package corfu.cli;

import corfu.cli.access.AccessCommand;
import corfu.cli.argument.Converters;
import corfu.cli.audit.AuditCommand;
import corfu.cli.bench.BenchCommand;
import corfu.cli.cert.CertCommand;
import corfu.cli.cluster.ClusterCommand;
import corfu.cli.command.CommandGroup;
import corfu.cli.demo.DemoCommand;
import corfu.cli.disk.DiskCommand;
import corfu.cli.layout.LayoutCommand;
import corfu.cli.log.AppendCommand;
import corfu.cli.log.CompressCommand;
import corfu.cli.log.FillCommand;
import corfu.cli.log.FollowCommand;
import corfu.cli.log.ReadCommand;
import corfu.cli.log.TailCommand;
import corfu.cli.log.TrimCommand;
import corfu.cli.mirror.MirrorCommand;
import corfu.cli.object.ObjectCommand;
import corfu.cli.object.ShellCommand;
import corfu.cli.output.Terminal;
import corfu.cli.server.ServerCommand;
import corfu.cli.server.StoreCommand;
import corfu.cli.silver.SilverCommand;
import corfu.cli.sim.SimCommand;
import corfu.cli.status.StatusCommand;
import corfu.cli.stream.StreamCommand;
import corfu.cli.token.TokenCommand;
import corfu.cli.zookeeper.ZooKeeperCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code corfu} command with its subcommands. Reading a command's annotations delays the start,
 * so a command line creates only the subcommand that it names. Help creates all of them.
 */
@Command(
    name = "corfu",
    description =
        "Runs and uses a distributed shared log: replicated, durable, with one order of all"
            + " entries.",
    version = "corfu 0.1.0-SNAPSHOT",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      " 0:success",
      " 1:another failure",
      " 2:the command line or a configuration file is wrong",
      " 3:needed servers did not answer, or belong to no cluster yet; nothing was appended",
      " 4:an append may or may not have happened; the message names its address",
      " 5:a disk is full; nothing was appended",
      " 6:the address has been trimmed",
      " 7:the address is not written yet",
      " 8:the servers belong to another cluster",
      " 9:no replica of the entry is readable",
      "10:the entry is larger than the cluster accepts; nothing was sent",
      "11:the cluster serves, but is degraded: see corfu status",
      "12:only a part was done, such as some of the lines; the message says how much, and why",
      "13:a permission is missing; nothing was done",
      "14:the quota is used up; nothing was appended"
    },
    footer = {
      "",
      "To try it out:",
      "  corfu demo                              appends, kills, restarts, checks",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu append hello --dir /tmp/c",
      "  corfu read --all --dir /tmp/c",
      "  corfu cluster stop --dir /tmp/c"
    })
final class RootCommand implements Runnable {

  private final Terminal terminal;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private RootCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Returns the command line with the subcommands that these arguments need. */
  static CommandLine commandLine(Terminal terminal, String... arguments) {
    var all = new LinkedHashMap<String, Function<Terminal, Object>>();
    all.put("demo", DemoCommand::new);
    all.put("cluster", ClusterCommand::new);
    all.put("append", AppendCommand::new);
    all.put("read", ReadCommand::new);
    all.put("tail", TailCommand::new);
    all.put("follow", FollowCommand::new);
    all.put("trim", TrimCommand::new);
    all.put("fill", FillCommand::new);
    all.put("compress", CompressCommand::new);
    all.put("stream", StreamCommand::new);
    all.put("object", ObjectCommand::new);
    all.put("shell", ShellCommand::new);
    all.put("store", StoreCommand::new);
    all.put("mirror", MirrorCommand::new);
    all.put("zookeeper", ZooKeeperCommand::new);
    all.put("silver", SilverCommand::new);
    all.put("disk", DiskCommand::new);
    all.put("status", StatusCommand::new);
    all.put("layout", LayoutCommand::new);
    all.put("server", ServerCommand::new);
    all.put("cert", CertCommand::new);
    all.put("token", TokenCommand::new);
    all.put("access", AccessCommand::new);
    all.put("audit", AuditCommand::new);
    all.put("bench", BenchCommand::new);
    all.put("sim", SimCommand::new);
    all.put("completion", CompletionCommand::new);

    var root = new CommandLine(new RootCommand(terminal));
    String first = arguments.length == 0 ? "" : arguments[0];
    var named = all.get(first);
    var wanted = named == null ? all : Map.of(first, named);
    wanted.forEach(
        (name, command) -> root.addSubcommand(name, lineOf(command.apply(terminal), terminal)));
    root.addSubcommand(new HelpCommand());
    divideHelp(root);
    Converters.register(root);
    return root.setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** Puts empty lines and headings between the parts of each command's help. */
  private static void divideHelp(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .descriptionHeading("%n")
        .parameterListHeading("%nParameters:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n");
    command.getSubcommands().values().forEach(RootCommand::divideHelp);
  }

  private static CommandLine lineOf(Object command, Terminal terminal) {
    var line = new CommandLine(command);
    if (command instanceof CommandGroup group) {
      group.subcommands(terminal).forEach(each -> line.addSubcommand(lineOf(each, terminal)));
    }
    return line;
  }

  /** Prints the help if the command line names no subcommand. */
  @Override
  public void run() {
    spec.commandLine().usage(terminal.outWriter());
  }
}
