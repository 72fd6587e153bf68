package corfu.objects.internal.view;

import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.state.State;
import corfu.objects.record.CallId;
import corfu.protocol.Address;

/** Is told what a player does, on the player's thread. */
public interface PlaybackListener {

  /** Does not want to know. */
  PlaybackListener NONE =
      new PlaybackListener() {
        @Override
        public void meets(State<?> state, int payloadBytes) {}

        @Override
        public void carriedOut(CallId call, Address address, Outcome outcome) {}
      };

  /** A part of a checkpoint has been read, from which the state begins. */
  default void fetched() {}

  /**
   * With the state as it is, an entry is about to be looked at. If this throws, nothing of it has
   * been done, and it is met again when the player goes on.
   */
  void meets(State<?> state, int payloadBytes);

  /** A change that is its entry's only one has been carried out; perhaps not for the first time. */
  void carriedOut(CallId call, Address address, Outcome outcome);
}
