package corfu.cli.access;

import corfu.access.PolicyCommand;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "remove",
    description = "Removes a role. Grants to it stay, without effect.",
    footer = {"", "Example:", "  corfu access role remove readers --dir /tmp/c"})
final class RoleRemoveCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ChangeOptions options = new ChangeOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the role.")
  private String name = "";

  RoleRemoveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return options.change(new PolicyCommand.RemoveRole(name), "role remove " + name, terminal);
  }
}
