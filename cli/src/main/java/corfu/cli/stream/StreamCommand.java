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
      "Appends to and reads streams: virtual logs over the one log.",
      "A stream is there once something has been appended to it. Its entries have a place in it,"
          + " the stream address, which ascends, and one in the log. Streams are named, or given as"
          + " id:UUID."
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
