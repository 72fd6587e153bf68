package corfu.smr;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What is replicated: a state, and commands that change it. All replicas carry out the same
 * commands in the same order, so what a command does may depend on nothing but the state and the
 * command: no clock, no chance, no order of a hash table.
 *
 * <p>Need not be thread-safe: a {@link Replica} calls one method at a time.
 */
public interface StateMachine {

  /**
   * Carries out a command.
   *
   * @return what is told to the one who submitted it
   * @throws RuntimeException told to the submitter as {@link CommandFailedException}; the state
   *     must be as it was before, at every replica
   */
  byte[] apply(Command command);

  /**
   * The state as it is now, to be written later while commands go on. A machine whose state cannot
   * be shared copies it here.
   */
  Saved save();

  /** Becomes what was {@linkplain Saved saved}. Called once, before any command. */
  void load(DataInput in) throws IOException;

  /** A state that no longer changes. */
  @FunctionalInterface
  interface Saved {
    void writeTo(DataOutput out) throws IOException;
  }
}
