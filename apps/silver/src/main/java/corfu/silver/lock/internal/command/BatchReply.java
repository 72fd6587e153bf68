package corfu.silver.lock.internal.command;

import java.util.List;

/** The reply to a {@link LockCommand.Batch}. */
public sealed interface BatchReply {

  /**
   * The machine has applied the operations.
   *
   * @param statuses the outcome of each operation
   */
  record Applied(List<LockStatus> statuses) implements BatchReply {
    public Applied {
      statuses = List.copyOf(statuses);
    }
  }

  /** The session does not exist any more, or has no such number. */
  record Gone() implements BatchReply {}

  /** There are too many sessions. */
  record TooManySessions() implements BatchReply {}
}
