package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.SystemCalls;
import corfu.silver.Caller;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.ship.Shipped;
import corfu.silver.ship.TreeReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Makes a file system of an archive. It gets its name at the end: until then it has another name,
 * so nobody takes a part for the whole. Not thread-safe.
 */
final class Receiver {

  private static final String PART = ".part";

  private final Silver silver;
  private final Target target;

  /**
   * @param target the name of the new file system
   */
  Receiver(Silver silver, Target target) {
    this.silver = silver;
    this.target = target;
    if (!target.isWhole()) {
      throw new CommandException(
          ExitCode.USAGE, "%s is a path; give the name of a file system".formatted(target));
    }
  }

  Shipped receive(InputStream archive, Progress progress) {
    Caller caller = silver.caller(SystemCalls.effectiveUserId(), SystemCalls.effectiveGroupId());
    if (silver.open(target.name()) instanceof Result.Success<SilverFileSystem>) {
      throw new CommandException(
          ExitCode.FAILED, "%s exists already; choose another name".formatted(target));
    }
    Target part = new Target(target.name() + PART, List.of(), Optional.empty());
    SilverFileSystem files =
        switch (silver.create(part.name(), caller)) {
          case Result.Success<SilverFileSystem>(SilverFileSystem made) -> made;
          case Result.Failure<SilverFileSystem>(Errno errno) ->
              throw new CommandException(
                  ExitCode.FAILED,
                  "%s is of another shipment; when that has ended: corfu silver remove %s"
                      .formatted(part, part));
        };
    try {
      Shipped received = TreeReader.read(archive, files, caller, progress);
      var unused =
          Session.valueOf(silver.rename(part.name(), target.name(), caller), "name", target);
      return received;
    } catch (IOException e) {
      var unused = silver.remove(part.name(), caller);
      throw new CommandException(ExitCode.FAILED, "nothing was received: " + e.getMessage());
    }
  }
}
