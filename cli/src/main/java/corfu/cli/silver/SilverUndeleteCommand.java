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
import java.util.List;
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
            + " path existed. If the path exists, takes the node that it named before, to another"
            + " path. This is one entry of the log.",
    footer = {
      "",
      "Examples:",
      "  corfu silver undelete project/README --dir /tmp/c",
      "  corfu silver undelete project/README --as project/README.old --dir /tmp/c"
    })
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

  @Option(
      names = "--as",
      paramLabel = "NAME/path",
      description = "New path (default: the old one).")
  private Optional<String> as = Optional.empty();

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
    Target place = as.map(Target::parseNewest).orElse(target);
    try (var session = Session.open(connection)) {
      SilverFileSystem files = session.open(target);
      RemovedPath removed = find(session, files, target);
      long version = removed.files().version().orElseThrow();
      SilverFileSystem into = session.open(place);
      NodeId directory = session.find(into, place.parent()).node();
      var unused =
          Session.valueOf(
              into.cloneFrom(
                  removed.files(), removed.node(), directory, place.lastName(), session.caller()),
              "undelete to",
              place);
      style.print(
          terminal,
          "undeleted %s as it was at version %d%s"
              .formatted(target, version, as.map(path -> " to " + place).orElse("")),
          json -> {
            json.writeStringField("path", place.toString());
            json.writeNumberField("version", version);
          });
      return ExitCode.OK;
    }
  }

  private RemovedPath find(Session session, SilverFileSystem files, Target target) {
    boolean exists =
        files.lookUp(session.find(files, target.parent()).node(), target.lastName())
            instanceof Result.Success<NodeStatus>;
    if (exists && as.isEmpty()) {
      throw new CommandException(
          ExitCode.FAILED,
          "%s exists; rename or remove it first, or name a new path: --as %s.old"
              .formatted(target, target));
    }
    if (at.isPresent()) {
      var version = Optional.of(new Address(at.get()));
      Target past = new Target(target.name(), target.path(), version);
      SilverFileSystem then = session.open(past);
      return new RemovedPath(then, session.find(then, past).node());
    }
    List<FileName> path = target.path().stream().map(FileName::of).toList();
    return (exists ? RemovedPath.findReplaced(files, path) : RemovedPath.find(files, path))
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCode.FAILED,
                    "no version of %s has %s %s; for a version of a moved directory, use --at"
                        .formatted(
                            target.name(), exists ? "another node at" : "the path", target)));
  }
}
