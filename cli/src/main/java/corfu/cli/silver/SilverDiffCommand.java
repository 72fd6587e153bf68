package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.silver.check.Difference;
import corfu.silver.check.TreeDiff;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "diff",
    description =
        "Prints the paths that differ between two versions: + added, - removed, * changed.",
    footer = {"", "Example:", "  corfu silver diff project 1200 1300 --dir /tmp/c"})
final class SilverDiffCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the file system.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "V1", description = "Earlier version, a log address.")
  private long from;

  @Parameters(index = "2", paramLabel = "V2", description = "Later version, a log address.")
  private long to;

  SilverDiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (from < 0 || from > to) {
      throw new CommandException(
          ExitCode.USAGE, "V1 is at least 0 and at most V2, but not %d and %d".formatted(from, to));
    }
    Target target = Target.parseWhole(name);
    Target later = new Target(target.name(), List.of(), Optional.of(new Address(to)));
    try (var session = Session.open(connection);
        var out = new CommandOutput(terminal.out())) {
      TreeDiff.run(
          session.open(later),
          new Address(from),
          new Address(to),
          difference -> print(out, difference),
          new Progress(terminal, "compared"));
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, Difference difference) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("kind", difference.kind().name().toLowerCase(Locale.ROOT));
            json.writeStringField("path", difference.path());
          });
      return;
    }
    String sign =
        switch (difference.kind()) {
          case ADDED -> "+";
          case REMOVED -> "-";
          case CHANGED -> "*";
        };
    out.line(sign + " " + difference.path());
  }
}
