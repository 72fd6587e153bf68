package corfu.cli.access;

import corfu.access.AccessRole;
import corfu.access.PolicyCommand;
import corfu.access.Subject;
import corfu.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "set",
    description = "Makes a role with these members, or gives it other members.",
    footer = {"", "Example:", "  corfu access role set readers 'spiffe://prod/ci/*' --dir /tmp/c"})
final class RoleSetCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ChangeOptions options = new ChangeOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the role.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "MEMBER",
      description = "Identity or PREFIX*. These are all members from now on.")
  private List<String> members = new ArrayList<>();

  RoleSetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AccessRole role =
        GrantParameters.argument(
            () -> new AccessRole(name, members.stream().map(Subject::parse).toList()));
    return options.change(new PolicyCommand.SetRole(role), "role set " + name, terminal);
  }
}
