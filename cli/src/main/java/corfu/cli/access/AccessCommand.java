package corfu.cli.access;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "access",
    description = {
      "Grants, revokes, lists and checks permissions, and sets quotas.",
      "Permissions are read, append, trim (of streams), read-log, append-log, observe, operate and"
          + " administer. A SUBJECT is an identity, identities that begin alike (spiffe://prod/*),"
          + " or role:NAME. A TARGET is a stream by name, streams that begin alike (orders/*), all"
          + " streams (*), or streams by id (id:UUID, id:3f2a9c00/32)."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu access grant spiffe://prod/app append 'orders/*' --dir /tmp/c",
      "  corfu access check spiffe://prod/app append orders/books --dir /tmp/c",
      "  corfu access role set readers spiffe://prod/app --dir /tmp/c",
      "  corfu access quota set spiffe://prod/a --appends-per-second 99 --dir /tmp/c",
      "  corfu access list --dir /tmp/c"
    })
public final class AccessCommand implements CommandGroup {

  public AccessCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new AccessGrantCommand(terminal),
        new AccessRevokeCommand(terminal),
        new AccessRoleCommand(terminal),
        new AccessQuotaCommand(terminal),
        new AccessUsageCommand(terminal),
        new AccessListCommand(terminal),
        new AccessCheckCommand(terminal));
  }
}
