package corfu.cli.silver;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import corfu.cli.silver.demo.SilverDemoCommand;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "silver",
    description = {
      "Manages and mounts file systems of which every version stays.",
      "A version is a log address V: it includes all changes below V. NAME@V is the file system"
          + " NAME at version V, read-only."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu silver create project --dir /tmp/c",
      "  corfu silver mount project /mnt/project --dir /tmp/c",
      "  corfu silver clone project copy --dir /tmp/c",
      "  corfu silver unmount /mnt/project"
    })
public final class SilverCommand implements CommandGroup {

  public SilverCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new SilverCreateCommand(terminal),
        new SilverListCommand(terminal),
        new SilverRemoveCommand(terminal),
        new SilverCloneCommand(terminal),
        new SilverQuotaCommand(terminal),
        new SilverVersionsCommand(terminal),
        new SilverDiffCommand(terminal),
        new SilverUndeleteCommand(terminal),
        new SilverShipCommand(terminal),
        new SilverReceiveCommand(terminal),
        new SilverCheckpointCommand(terminal),
        new SilverFsckCommand(terminal),
        new SilverCompressCommand(terminal),
        new SilverMountCommand(terminal),
        new SilverUnmountCommand(terminal),
        new SilverDemoCommand(terminal));
  }
}
