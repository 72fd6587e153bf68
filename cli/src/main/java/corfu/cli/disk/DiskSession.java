package corfu.cli.disk;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.disk.DiskOutcome;
import corfu.disk.DiskRefusal;
import corfu.disk.DiskTarget;
import corfu.disk.Disks;
import corfu.runtime.Corfu;
import java.util.function.Supplier;

/**
 * A command's connection to the disks of a cluster. Not thread-safe.
 *
 * @param corfu the connection
 * @param disks the disks
 */
record DiskSession(Corfu corfu, Disks disks) implements AutoCloseable {

  static DiskSession open(ConnectionOptions connection) {
    Corfu corfu = connection.connect();
    return new DiskSession(corfu, Disks.over(corfu));
  }

  /**
   * Parses NAME or NAME@V.
   *
   * @throws CommandException if it is neither
   */
  static DiskTarget target(String text) {
    return checked(() -> DiskTarget.parse(text));
  }

  /** Returns the value of an operation, or fails with its message. */
  static <T> T valueOf(Supplier<DiskOutcome<T>> operation) {
    return switch (checked(operation)) {
      case DiskOutcome.Done<T>(T value) -> value;
      case DiskOutcome.Refused<T>(DiskRefusal reason) ->
          throw new CommandException(exitCodeOf(reason), reason.message());
    };
  }

  private static <T> T checked(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private static int exitCodeOf(DiskRefusal reason) {
    return switch (reason) {
      case DiskRefusal.NotYet later -> ExitCode.UNWRITTEN;
      case DiskRefusal.Reclaimed gone -> ExitCode.TRIMMED;
      case DiskRefusal.NoSuchDisk none -> ExitCode.FAILED;
      case DiskRefusal.NameTaken taken -> ExitCode.FAILED;
      case DiskRefusal.NoSuchSnapshot none -> ExitCode.FAILED;
      case DiskRefusal.SnapshotTaken taken -> ExitCode.FAILED;
      case DiskRefusal.InUse use -> ExitCode.FAILED;
      case DiskRefusal.WouldShrink shrink -> ExitCode.FAILED;
      case DiskRefusal.TooDeep deep -> ExitCode.FAILED;
      case DiskRefusal.TooManySnapshots many -> ExitCode.FAILED;
    };
  }

  @Override
  public void close() {
    corfu.close();
  }
}
