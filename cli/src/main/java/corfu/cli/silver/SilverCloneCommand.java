package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "clone",
    description =
        "Clones a file, a directory or a file system, at its newest or a past version. This is one"
            + " entry of the log, whatever the size.",
    footer = {"", "Example:", "  corfu silver clone project@1200 copy --dir /tmp/c"})
final class SilverCloneCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      index = "0",
      paramLabel = "SRC[@V]",
      description = "Source, as NAME or NAME/path, with a version if it is a past one.")
  private String source = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "Clone, as NAME or NAME/path.")
  private String clone = "";

  SilverCloneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target from = Target.parse(source);
    Target to = Target.parseNewest(clone);
    try (var session = Session.open(connection)) {
      NodeId node = clone(session, from, to);
      style.print(
          terminal,
          "cloned %s to %s".formatted(from, to),
          json -> {
            json.writeStringField("source", from.toString());
            json.writeStringField("clone", to.toString());
            json.writeStringField("stream", node.stream().toString());
          });
      return ExitCode.OK;
    }
  }

  private static NodeId clone(Session session, Target from, Target to) {
    SilverFileSystem source = session.open(from);
    if (to.isWhole()) {
      if (!from.isWhole()) {
        throw new CommandException(
            ExitCode.USAGE, "%s is not a whole file system; clone it to NAME/path".formatted(from));
      }
      var made = session.silver().clone(from.name(), from.version(), to.name(), session.caller());
      return Session.valueOf(made, "clone to", to).root();
    }
    SilverFileSystem files = session.open(to);
    NodeId node = session.find(source, from).node();
    NodeId directory = session.find(files, to.parent()).node();
    return Session.valueOf(
        files.cloneFrom(source, node, directory, to.lastName(), session.caller()), "clone to", to);
  }
}
