package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import java.util.Optional;

/**
 * The progress of one log unit that compresses a prefix of the log. Immutable.
 *
 * @param unit the server with the log unit
 * @param progress the unit's answer; empty if there is none
 * @param problem the reason why there is no answer; empty if there is one
 */
public record CompressionReport(
    Endpoint unit, Optional<LogUnitReply.Compressed> progress, String problem) {

  /** Returns whether the unit has answered, and has nothing left to compress. */
  public boolean isDone() {
    return progress.filter(told -> told.waitingBytes() == 0).isPresent();
  }
}
