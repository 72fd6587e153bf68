package corfu.smr;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A replicated state, and the commands that change it. All replicas apply the same commands in the
 * same order. So a command's effect may depend only on the state and the command, and never on a
 * clock, on chance, or on the order of a hash table.
 *
 * <p>It need not be thread-safe: a {@link StateMachineReplica} calls one method at a time.
 */
public interface StateMachine {

  /**
   * Applies a command.
   *
   * @return the reply to the submitter
   * @throws RuntimeException if the machine refuses the command; the submitter gets a {@link
   *     CommandFailedException}, and every replica's state must be unchanged
   */
  byte[] apply(Command command);

  /**
   * Returns the present state, which is written later, while further commands are applied. A
   * machine that cannot share its state copies it here.
   */
  Saved save();

  /** Loads a {@linkplain Saved saved} state. Called once, before any command. */
  void load(DataInput in) throws IOException;

  /**
   * Tells the machine that the replica uses it from now on, instead of the one before. The replica
   * calls this once for its initial machine, and once for each machine that it has loaded from a
   * checkpoint. A machine that keeps something outside of its state, such as connections of
   * clients, drops what belongs to the machine before. Must not block: commands and readers wait.
   * Machines of {@link StateMachineReplica#at} are not told.
   */
  default void installed() {}

  /** An immutable state. */
  @FunctionalInterface
  interface Saved {
    void writeTo(DataOutput out) throws IOException;
  }
}
