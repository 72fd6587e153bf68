package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description =
        "Lists the file systems, with the streams of their roots and the current version.",
    footer = {"", "Example:", "  corfu silver list --dir /tmp/c"})
final class SilverListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  SilverListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var session = Session.open(connection);
        var out = new CommandOutput(terminal.out())) {
      long version = session.silver().version().value();
      for (String name : session.silver().list()) {
        Target target = new Target(name, List.of(), Optional.of(new Address(version)));
        var root = session.open(target).root().stream();
        if (style.json()) {
          out.json(
              json -> {
                json.writeStringField("name", name);
                json.writeNumberField("version", version);
                json.writeStringField("root", root.toString());
              });
        } else {
          out.line(name + "\t" + version + "\t" + root);
        }
      }
      return ExitCode.OK;
    }
  }
}
