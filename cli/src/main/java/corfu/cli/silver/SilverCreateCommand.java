package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.SilverFileSystem;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "create",
    description = "Creates an empty file system.",
    footer = {"", "Example:", "  corfu silver create project --dir /tmp/c"})
final class SilverCreateCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the file system.")
  private String name = "";

  SilverCreateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseNewest(name);
    if (!target.isWhole()) {
      throw new CommandException(ExitCode.USAGE, "a file system has a name without /, not " + name);
    }
    try (var session = Session.open(connection)) {
      SilverFileSystem files =
          Session.valueOf(
              session.silver().create(target.name(), session.caller()), "create", target);
      style.print(
          terminal,
          "created " + target,
          json -> {
            json.writeStringField("name", target.name());
            json.writeStringField("root", files.root().stream().toString());
          });
      return ExitCode.OK;
    }
  }
}
