package corfu.objects.internal.client;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import java.util.Optional;

/** An object that this client plays, as the question for the ends of streams sees it. */
public interface Playable {

  StreamId stream();

  /** Returns the log address below which the object is played, or nothing if it has no state. */
  Optional<Address> playedBefore();

  /**
   * Plays the object up to here if that is near and nobody plays it now. Throws nothing: a thread
   * that needs what could not be played meets the failure again.
   */
  void playIfNear(StreamEnds ends);

  /** Returns whether nothing had ever happened to the object when its stream ended here. */
  default boolean isUntouched(StreamEnds ends) {
    return ends.newest(stream()) < 0 && ends.end(stream()).value() == 0;
  }
}
