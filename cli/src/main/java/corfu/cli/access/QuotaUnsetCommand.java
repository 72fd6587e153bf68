package corfu.cli.access;

import corfu.access.PolicyCommand;
import corfu.access.Subject;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "unset",
    description = "Removes the quota of a subject.",
    footer = {"", "Example:", "  corfu access quota unset spiffe://prod/app --dir /tmp/c"})
final class QuotaUnsetCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ChangeOptions options = new ChangeOptions();

  @Parameters(
      index = "0",
      paramLabel = "SUBJECT",
      description = "Identity, PREFIX*, role:NAME, or anonymous.")
  private String subject = "";

  QuotaUnsetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Subject whose = GrantParameters.argument(() -> Subject.parse(subject));
    return options.change(
        new PolicyCommand.RemoveQuota(whose), "quota unset " + whose.text(), terminal);
  }
}
