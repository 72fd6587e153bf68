package corfu.cli.stream;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.protocol.StreamAddress;
import java.util.List;
import java.util.Optional;

/** The bounds that a person gives once for all streams, or once for each stream. */
final class StreamBounds {

  private StreamBounds() {}

  /**
   * Checks the number of bounds.
   *
   * @throws CommandException if it is neither 0, nor 1, nor the number of streams
   */
  static void check(String option, List<StreamAddress> bounds, int streams) {
    if (bounds.size() > 1 && bounds.size() != streams) {
      throw new CommandException(
          ExitCode.USAGE,
          "say %s once for all streams, or once for each of the %d, but not %d times"
              .formatted(option, streams, bounds.size()));
    }
  }

  /** Returns the bound of the stream at this place of the command line, or empty if it has none. */
  static Optional<StreamAddress> of(List<StreamAddress> bounds, int stream) {
    return bounds.isEmpty()
        ? Optional.empty()
        : Optional.of(bounds.get(bounds.size() == 1 ? 0 : stream));
  }
}
