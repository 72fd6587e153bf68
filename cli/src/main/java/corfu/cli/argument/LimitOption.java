package corfu.cli.argument;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that bounds the number of printed results. */
public final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Largest number of results to print, 1 or more.")
  private Optional<Long> limit = Optional.empty();

  /**
   * Returns the limit, or the largest number if there is none.
   *
   * @throws CommandException if the limit is below 1
   */
  public long value() {
    return value(Long.MAX_VALUE);
  }

  /**
   * Returns the limit, or the default if there is none.
   *
   * @throws CommandException if the limit is below 1
   */
  public long value(long defaultLimit) {
    long value = limit.orElse(defaultLimit);
    if (value < 1) {
      throw new CommandException(ExitCode.USAGE, "--limit is 1 or more, but not " + value);
    }
    return value;
  }

  /** Whether the command line has a limit. */
  public boolean isPresent() {
    return limit.isPresent();
  }
}
