package corfu.cli.stream;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "stream",
    description = {
      "Appends to streams, and reads, follows, trims, lists and inspects them.",
      "A stream is a virtual log inside the log. The first append creates it. Each of its entries"
          + " has a stream address, which ascends, and a log address. Commands accept a stream's"
          + " name or id:UUID."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu stream append 'one book' --stream orders --dir /tmp/c",
      "  corfu stream read --stream orders --dir /tmp/c"
    })
public final class StreamCommand implements CommandGroup {

  public StreamCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new StreamAppendCommand(terminal),
        new StreamReadCommand(terminal),
        new StreamFollowCommand(terminal),
        new StreamTailCommand(terminal),
        new StreamTrimCommand(terminal),
        new StreamListCommand(terminal),
        new StreamInspectCommand(terminal));
  }
}
