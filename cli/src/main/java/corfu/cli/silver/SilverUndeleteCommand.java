package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.fuse.Result;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.check.RemovedPath;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "undelete",
    description =
        "Clones a removed file or directory back to its path, from the newest version in which the"
            + " path existed. This is one entry of the log.",
    footer = {"", "Example:", "  corfu silver undelete project/README --dir /tmp/c"})
final class SilverUndeleteCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME/path", description = "Removed file or directory.")
  private String name = "";

  @Option(
      names = "--at",
      paramLabel = "V",
      description = "Version to take it from (default: the newest one that has the path).")
  private Optional<Long> at = Optional.empty();

  SilverUndeleteCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseNewest(name);
    if (target.isWhole()) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s is a whole file system; clone a version of it: corfu silver clone %s@V NEW"
              .formatted(target, target));
    }
    try (var session = Session.open(connection)) {
      SilverFileSystem files = session.open(target);
      NodeId directory = session.find(files, target.parent()).node();
      if (files.lookUp(directory, target.lastName()) instanceof Result.Success<NodeStatus>) {
        throw new CommandException(
            ExitCode.FAILED, "%s exists; rename or remove it first".formatted(target));
      }
      RemovedPath removed = find(session, files, target);
      long version = removed.files().version().orElseThrow();
      var unused =
          Session.valueOf(
              files.cloneFrom(
                  removed.files(), removed.node(), directory, target.lastName(), session.caller()),
              "undelete",
              target);
      style.print(
          terminal,
          "undeleted %s as it was at version %d".formatted(target, version),
          json -> {
            json.writeStringField("path", target.toString());
            json.writeNumberField("version", version);
          });
      return ExitCode.OK;
    }
  }

  private RemovedPath find(Session session, SilverFileSystem files, Target target) {
    if (at.isPresent()) {
      var version = Optional.of(new Address(at.get()));
      Target past = new Target(target.name(), target.path(), version);
      SilverFileSystem then = session.open(past);
      return new RemovedPath(then, session.find(then, past).node());
    }
    return RemovedPath.find(files, target.path().stream().map(FileName::of).toList())
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCode.FAILED,
                    "no version of %s has the path %s; for a version of a moved directory, use --at"
                        .formatted(target.name(), target)));
  }
}
