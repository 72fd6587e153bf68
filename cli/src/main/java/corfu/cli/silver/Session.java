package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command's connection to the file systems of a cluster. Not thread-safe. */
final class Session implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Corfu corfu;
  private final Silver silver;

  private Session(Corfu corfu) {
    this.corfu = corfu;
    this.silver = Silver.over(corfu);
  }

  static Session open(ConnectionOptions connection) {
    return new Session(connection.connect());
  }

  Corfu corfu() {
    return corfu;
  }

  Silver silver() {
    return silver;
  }

  /** Returns the user of this process as the author of changes. */
  Caller caller() {
    return silver.caller(SystemCalls.effectiveUserId(), SystemCalls.effectiveGroupId());
  }

  /** Opens the file system of a target, at its version if it has one. */
  SilverFileSystem open(Target target) {
    checkVersion(target);
    var opened =
        target.version().isPresent()
            ? silver.openAt(target.name(), target.version().get())
            : silver.open(target.name());
    return switch (opened) {
      case Result.Success<SilverFileSystem>(SilverFileSystem files) -> files;
      case Result.Failure<SilverFileSystem>(Errno errno) ->
          throw new CommandException(
              ExitCode.FAILED,
              "there is no file system %s%s; to see all: corfu silver list"
                  .formatted(
                      target.name(),
                      target.version().map(at -> " at version " + at.value()).orElse("")));
    };
  }

  private void checkVersion(Target target) {
    if (target.version().isEmpty()) {
      return;
    }
    Address version = target.version().get();
    Address tail = corfu.log().tail();
    if (version.compareTo(tail) > 0) {
      throw new CommandException(
          ExitCode.UNWRITTEN,
          "version %s of %s does not exist yet; the newest version is %s"
              .formatted(version, target.place(), tail));
    }
  }

  /** Returns the node of a path. */
  NodeStatus find(SilverFileSystem files, Target target) {
    NodeId node = files.root();
    for (String name : target.path()) {
      node = valueOf(files.lookUp(node, FileName.of(name)), "look up", target).node();
    }
    return valueOf(files.status(node), "read", target);
  }

  /** Returns the value of an operation, or fails with a message that names the target. */
  static <T> T valueOf(Result<T> result, String operation, Target target) {
    return switch (result) {
      case Result.Success<T>(T value) -> value;
      case Result.Failure<T>(Errno errno) ->
          throw new CommandException(
              ExitCode.FAILED,
              "cannot %s %s: %s".formatted(operation, target, explain(errno, target)));
    };
  }

  private static String explain(Errno errno, Target target) {
    return switch (errno) {
      case ENOENT -> "there is no such file or directory at this version";
      case EEXIST -> "%s exists already; choose another name".formatted(target.place());
      case ENOTDIR -> "a part of the path is no directory";
      case ESTALE -> "its stream has no entries; run corfu silver fsck " + target.name();
      case ENAMETOOLONG -> "a name has at most 255 bytes";
      default -> "the file system answers " + errno;
    };
  }

  @Override
  public void close() {
    try (corfu) {
      silver.close();
    } catch (CorfuException unreachable) {
      LOG.debug("This process stays on the list of members until a later one removes it");
    }
  }
}
