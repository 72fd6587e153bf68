package corfu.cli;

import corfu.cli.argument.Converters;
import corfu.cli.bench.BenchCommand;
import corfu.cli.cluster.ClusterCommand;
import corfu.cli.command.CommandGroup;
import corfu.cli.demo.DemoCommand;
import corfu.cli.layout.LayoutCommand;
import corfu.cli.log.AppendCommand;
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
import corfu.cli.sim.SimCommand;
import corfu.cli.status.StatusCommand;
import corfu.cli.stream.StreamCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * The subcommands. Reading a command's annotations takes time that a person waits for, so only the
 * one that was named is made, and all of them where help is asked for.
 */
@Command(
    name = "corfu",
    description = "A distributed shared log: one order of entries for all, replicated and durable.",
    version = "corfu 0.1.0-SNAPSHOT",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      " 0:done",
      " 1:failed for none of the reasons below",
      " 2:the command line or a configuration file is wrong",
      " 3:servers that were needed did not answer, or have no cluster yet; nothing was appended",
      " 4:an append may or may not have happened; the message names its address",
      " 5:a disk is full; nothing was appended",
      " 6:the address has been trimmed",
      " 7:the address is not written yet",
      " 8:the servers belong to another cluster than the one that was meant",
      " 9:no replica can read the entry any more",
      "10:the entry is larger than the cluster takes; nothing was sent",
      "11:the cluster serves, but can bear less than it should: see corfu status",
      "12:a part was done, such as some lines appended; the message tells how much, and why not all"
    },
    footer = {
      "",
      "To try it out:",
      "  corfu demo                                 appends, reads, restarts, checks",
      "  corfu cluster start --dir /tmp/c --nodes 3 --replicas 2",
      "  corfu append hello --dir /tmp/c",
      "  corfu read --all --dir /tmp/c",
      "  corfu cluster stop --dir /tmp/c"
    })
final class Commands implements Runnable {

  private final Terminal terminal;

  private Commands(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Makes what these arguments need. */
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
    all.put("stream", StreamCommand::new);
    all.put("object", ObjectCommand::new);
    all.put("shell", ShellCommand::new);
    all.put("store", StoreCommand::new);
    all.put("mirror", MirrorCommand::new);
    all.put("status", StatusCommand::new);
    all.put("layout", LayoutCommand::new);
    all.put("server", ServerCommand::new);
    all.put("bench", BenchCommand::new);
    all.put("sim", SimCommand::new);
    all.put("completion", CompletionCommand::new);

    var root = new CommandLine(new Commands(terminal));
    String first = arguments.length == 0 ? "" : arguments[0];
    var named = all.get(first);
    var wanted = named == null ? all : Map.of(first, named);
    wanted.forEach((name, command) -> add(root, name, command.apply(terminal), terminal));
    root.addSubcommand(new HelpCommand());
    Converters.register(root);
    return root.setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static void add(CommandLine parent, String name, Object command, Terminal terminal) {
    var line = new CommandLine(command);
    if (command instanceof CommandGroup group) {
      group.subcommands(terminal).forEach(line::addSubcommand);
    }
    parent.addSubcommand(name, line);
  }

  /** Runs when no subcommand was named. */
  @Override
  public void run() {
    var all = commandLine(terminal);
    all.usage(terminal.outWriter());
  }
}
