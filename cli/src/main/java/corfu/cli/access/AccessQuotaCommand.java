package corfu.cli.access;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "quota",
    description = "Sets, shows and unsets quotas: the resources that identities may use.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu access quota set spiffe://prod/a --appends-per-second 99 --dir /tmp/c",
      "  corfu access quota show --dir /tmp/c"
    })
final class AccessQuotaCommand implements CommandGroup {

  AccessQuotaCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new QuotaSetCommand(terminal),
        new QuotaShowCommand(terminal),
        new QuotaUnsetCommand(terminal));
  }
}
