package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.silver.NodeChange;
import corfu.silver.SilverFileSystem;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "versions",
    description =
        "Prints the changes of a file or directory, the oldest first: the first version that"
            + " includes the change, its time, its user, and the change.",
    footer = {"", "Example:", "  corfu silver versions project/README --dir /tmp/c"})
final class SilverVersionsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "NAME/path[@V]",
      description = "File, directory or file system, with a version if it is a past one.")
  private String name = "";

  SilverVersionsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parse(name);
    try (var session = Session.open(connection);
        var out = new CommandOutput(terminal.out())) {
      SilverFileSystem files = session.open(target);
      files.history(
          session.find(files, target).node(),
          new Address(0),
          change -> {
            print(out, change);
            return true;
          });
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, NodeChange change) {
    Instant time = Instant.ofEpochSecond(change.time().seconds(), change.time().nanos());
    if (style.json()) {
      out.json(
          json -> {
            json.writeNumberField("version", change.version().value());
            json.writeStringField("time", time.toString());
            json.writeNumberField("uid", change.uid());
            json.writeStringField("change", change.description());
          });
    } else {
      out.line(
          "%s\t%s\t%d\t%s".formatted(change.version(), time, change.uid(), change.description()));
    }
  }
}
