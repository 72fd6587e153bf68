package corfu.silver.lock.internal.command;

import java.util.List;

/** A command of the state machine of locks. */
public sealed interface LockCommand {

  /**
   * The next operations of a session, in their order. The machine applies each number once, and
   * repeats its reply to the same number. The first command of a session has the number 1 and no
   * operations; it begins the session. Each command vouches for the session.
   *
   * @param session the session
   * @param sequence the number of this command in its session, from 1
   * @param timeoutMillis the session's timeout in milliseconds
   * @param operations the operations
   */
  record Batch(long session, long sequence, int timeoutMillis, List<LockOperation> operations)
      implements LockCommand {
    public Batch {
      operations = List.copyOf(operations);
    }
  }

  /**
   * Ends a silent session.
   *
   * @param session the session
   * @param sequence the session's last command that the proposer knows; if there is a later one,
   *     this command has no effect
   */
  record Expire(long session, long sequence) implements LockCommand {}

  /**
   * Ends a session that its own mount has given up.
   *
   * @param session the session
   */
  record End(long session) implements LockCommand {}
}
