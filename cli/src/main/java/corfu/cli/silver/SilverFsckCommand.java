package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.silver.check.Finding;
import corfu.silver.check.TreeCheck;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "fsck",
    description =
        "Checks the invariants of a file system at a version: streams, parents, link counts, sizes."
            + " The exit status is 1 if it finds a problem.",
    footer = {"", "Example:", "  corfu silver fsck project --dir /tmp/c"})
final class SilverFsckCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "NAME[@V]",
      description = "Name of the file system, with a version if it is a past one.")
  private String name = "";

  SilverFsckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseWhole(name);
    try (var session = Session.open(connection);
        var out = new CommandOutput(terminal.out())) {
      Address version = target.version().orElseGet(session.silver()::version);
      Target checked = new Target(target.name(), List.of(), Optional.of(version));
      long[] findings = {0};
      long nodes =
          TreeCheck.run(
              session.open(checked),
              finding -> {
                findings[0]++;
                print(out, finding);
              },
              new Progress(terminal, "checked"));
      terminal.note(
          "corfu: checked %d names of %s: %d problems".formatted(nodes, checked, findings[0]));
      return findings[0] == 0 ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private void print(CommandOutput out, Finding finding) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("path", finding.path());
            json.writeStringField("problem", finding.problem());
          });
    } else {
      out.line("/" + finding.path() + " " + finding.problem());
    }
  }
}
