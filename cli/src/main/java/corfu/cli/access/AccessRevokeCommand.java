package corfu.cli.access;

import corfu.access.Grant;
import corfu.access.PolicyCommand;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "revoke",
    description = {
      "Takes a permission away, which was granted in the same words.",
      "The command waits until all servers enforce the change, and names those that do not. The"
          + " exit status is then 12."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access revoke spiffe://prod/app append 'orders/*' --dir /tmp/c",
      "  corfu access revoke role:operators operate --dir /tmp/c"
    })
final class AccessRevokeCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final GrantParameters named = new GrantParameters();
  @Mixin private final ChangeOptions options = new ChangeOptions();

  AccessRevokeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Grant grant = named.grant();
    return options.change(new PolicyCommand.Revoke(grant), "revoke " + grant.text(), terminal);
  }
}
