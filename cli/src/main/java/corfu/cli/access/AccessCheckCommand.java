package corfu.cli.access;

import static corfu.cli.access.GrantParameters.argument;

import corfu.access.AccessDecision;
import corfu.access.Target;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.access.AccessControl;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Says whether an identity has a permission, and why. The exit status is 13 if not.",
      "The command does not know the administrators in the configurations of servers."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access check spiffe://prod/app append orders/books --dir /tmp/c",
      "  corfu access check spiffe://prod/app operate --dir /tmp/c"
    })
final class AccessCheckCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(index = "0", paramLabel = "IDENTITY", description = "Identity of a client.")
  private String identity = "";

  @Parameters(index = "1", paramLabel = "PERMISSION", description = "Permission, such as append.")
  private String permission = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "TARGET",
      description = "One stream, for read, append and trim: NAME or id:UUID.")
  private Optional<String> target = Optional.empty();

  AccessCheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Identity who = argument(() -> new Identity(identity));
    Permission what = argument(() -> Permission.parse(permission));
    Target on = argument(() -> GrantParameters.targetOf(what, target));
    try (var corfu = connection.connect()) {
      AccessControl control = AccessControl.over(corfu, Identity.ANONYMOUS);
      AccessDecision decision = argument(() -> control.check(who, what, on));
      style.print(
          terminal,
          (decision.isAllowed() ? "allowed: " : "denied: ") + decision.reason(),
          json -> {
            json.writeBooleanField("allowed", decision.isAllowed());
            json.writeStringField("reason", decision.reason());
          });
      return decision.isAllowed() ? ExitCode.OK : ExitCode.DENIED;
    }
  }
}
