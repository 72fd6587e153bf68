package corfu.objects.internal.checkpoint;

import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.value.LogValues;
import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.util.Optional;

/**
 * An object that is played, as checkpoints of it need it.
 *
 * @param <T> the object's type
 */
public interface CheckpointedObject<T> {

  ObjectContext<T> context();

  /** Returns the object's values that stay in the log. */
  LogValues values();

  /** Plays all that was complete when this was called. */
  void catchUp();

  /** Returns the log address below which the object is played, or nothing if it has no state. */
  Optional<Address> playedBefore();

  /**
   * Returns a copy of the state at a checkpoint's mark.
   *
   * @param mark appends the mark
   * @return nothing if the mark was not appended, or if the state, made anew meanwhile, began
   *     behind it
   */
  Optional<StateCopy<T>> copyAt(CallId checkpoint, Marking mark);

  /** A copy of the state, and what is in it. */
  record StateCopy<T>(T state, Address before, StreamAddress resume) {}

  /** Appends a mark. */
  @FunctionalInterface
  interface Marking {

    /** Returns whether the mark was appended. */
    boolean append();
  }
}
