package corfu.objects;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import org.slf4j.LoggerFactory;

/** Receives the differences between this client's state of an object and a checkpoint's state. */
@FunctionalInterface
public interface DivergenceListener {

  /**
   * Two clients have played the same changes and have different states.
   *
   * @param object the object's stream
   * @param name the name under which the object was opened
   * @param equalBefore log address: the states were equal after all changes below it, or no
   *     difference is known because this client began there
   * @param differBefore log address: the states differ after all changes below it
   */
  record Divergence(StreamId object, String name, Address equalBefore, Address differBefore) {

    /** Returns a text that says what is wrong, where, and the possible reason. */
    public String message() {
      return ("the state of object %s before address %s differs from the checkpoint that another"
              + " client wrote there. A change from address %s on has not done the same at"
              + " both: does a mutator ask for the time, for chance, for the order of a"
              + " HashMap, or for something outside of the object? Or are there different"
              + " versions of its class?")
          .formatted(name, differBefore, equalBefore);
    }
  }

  /** Logs an error. */
  DivergenceListener LOGGING =
      found -> LoggerFactory.getLogger(DivergenceListener.class).error("{}", found.message());

  /** Compares nothing; checkpoints of other clients then cost this client nothing. */
  DivergenceListener NONE = found -> {};

  /**
   * Called once when the states begin to differ, on a thread of the client. The method must neither
   * block nor call objects. The view continues with its own state.
   */
  void diverged(Divergence found);
}
