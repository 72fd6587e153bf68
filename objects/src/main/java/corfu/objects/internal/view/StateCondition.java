package corfu.objects.internal.view;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;

/** Whether the state of a player can be read, and played on. */
sealed interface StateCondition {

  /** Returns whether the next entry may be applied to the state. */
  default boolean isUsable() {
    return this instanceof AtCheckpoint || this instanceof Usable;
  }

  /**
   * The view's state begins at a checkpoint, which may be newer than the question for the stream's
   * end. The player asks again before it plays to an end.
   */
  record AtCheckpoint() implements StateCondition {}

  /** The state holds all entries so far. */
  record Usable() implements StateCondition {}

  /** The state is half done, or too old: it is made anew before anything else is played. */
  record Lost() implements StateCondition {}

  /** An entry could not be carried out, for a reason that is none of the object's. */
  record Broken(Address address, StreamAddress place, Error error) implements StateCondition {}
}
