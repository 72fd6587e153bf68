package corfu.cli.object;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "object",
    description = {
      "Lists replicated objects, and shows their states and their histories.",
      "An object exists from its first change on. Commands accept its name or id:UUID."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu object list --dir /tmp/c",
      "  corfu object show accounts --dir /tmp/c",
      "  corfu object history accounts --dir /tmp/c",
      "",
      "To change objects: corfu shell"
    })
public final class ObjectCommand implements CommandGroup {

  public ObjectCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new ObjectListCommand(terminal),
        new ObjectShowCommand(terminal),
        new ObjectHistoryCommand(terminal),
        new ObjectCheckpointCommand(terminal));
  }
}
