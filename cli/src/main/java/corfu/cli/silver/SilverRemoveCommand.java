package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.CheckpointResult;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "remove",
    description = {
      "Removes a file system from the list. Its past versions remain, unless --history gives them"
          + " up, too."
    },
    footer = {
      "",
      "Examples:",
      "  corfu silver remove project --dir /tmp/c",
      "  corfu silver remove project --history --dir /tmp/c"
    })
final class SilverRemoveCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the file system.")
  private String name = "";

  @Option(
      names = "--history",
      description =
          "Give up all versions, and free their space; also of a file system that was removed"
              + " before. Clones keep what they share.")
  private boolean history;

  SilverRemoveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseWhole(name);
    try (var session = Session.open(connection)) {
      if (history) {
        removeAll(session, target);
        return ExitCode.OK;
      }
      var unused = session.open(Target.parseNewest(name));
      long version = session.silver().version().value();
      var unusedDone =
          Session.valueOf(
              session.silver().remove(target.name(), session.caller()), "remove", target);
      String back = "corfu silver clone %s@%d NEW".formatted(target.name(), version);
      style.print(
          terminal,
          "removed %s; to get it back: %s".formatted(target, back),
          json -> {
            json.writeStringField("name", target.name());
            json.writeNumberField("version", version);
          });
      return ExitCode.OK;
    }
  }

  private void removeAll(Session session, Target target) {
    CheckpointResult result =
        Session.valueOf(
            session
                .silver()
                .removeWithHistory(
                    target.name(), session.caller(), new CheckpointProgressLines(terminal)),
            "remove",
            target);
    style.print(
        terminal,
        "removed %s with all versions; %s".formatted(target, CheckpointProgressLines.freed(result)),
        json -> {
          json.writeStringField("name", target.name());
          CheckpointProgressLines.write(result, json);
        });
  }
}
