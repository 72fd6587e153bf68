package corfu.cli.mirror;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "mirror",
    description = {
      "Copies the log of one cluster, or some of its streams, into another cluster.",
      "Entries have the same addresses in the mirror. The mirror always holds a consistent prefix"
          + " of its source, and can replace it."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu mirror run --from /tmp/a --to /tmp/b",
      "  corfu mirror status --from /tmp/a --to /tmp/b",
      "  corfu mirror promote --from /tmp/a --to /tmp/b"
    })
public final class MirrorCommand implements CommandGroup {

  public MirrorCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new MirrorRunCommand(terminal),
        new MirrorStatusCommand(terminal),
        new MirrorPromoteCommand(terminal));
  }
}
