package corfu.objects;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import org.slf4j.LoggerFactory;

/** Is told where this client's state of an object is another than that of a checkpoint. */
@FunctionalInterface
public interface DivergenceListener {

  /**
   * Two clients have played the same changes, and have different states.
   *
   * @param object whose stream it is
   * @param name what it was opened as
   * @param equalBefore the states were equal when all changes below this log address had been
   *     played; or nobody knows of a difference, as this client began there
   * @param differBefore they differ now that all below this address are
   */
  record Divergence(StreamId object, String name, Address equalBefore, Address differBefore) {

    /** Says what is wrong, where, and what may be the reason. */
    public String message() {
      return ("the state of object %s before address %s differs from the checkpoint that another"
              + " client wrote there. A change from address %s on has not done the same at"
              + " both: does a mutator ask for the time, for chance, for the order of a"
              + " HashMap, or for something outside of the object? Or are there different"
              + " versions of its class?")
          .formatted(name, differBefore, equalBefore);
    }
  }

  /** Writes an error. */
  DivergenceListener LOGGING =
      found -> LoggerFactory.getLogger(DivergenceListener.class).error("{}", found.message());

  /** Nobody wants to know: then nothing is compared, and checkpoints of others cost nothing. */
  DivergenceListener NONE = found -> {};

  /**
   * Called once when the states begin to differ, on a thread of the client's: it must neither block
   * nor call objects. The view goes on with its own state.
   */
  void diverged(Divergence found);
}
