package corfu.cli.access;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "role",
    description = "Sets and removes roles: named sets of identities.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu access role set readers 'spiffe://prod/ci/*' --dir /tmp/c",
      "  corfu access role remove readers --dir /tmp/c"
    })
final class AccessRoleCommand implements CommandGroup {

  AccessRoleCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(new RoleSetCommand(terminal), new RoleRemoveCommand(terminal));
  }
}
