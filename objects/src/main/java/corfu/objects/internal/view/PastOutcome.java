package corfu.objects.internal.view;

import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.state.State;
import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.runtime.stream.StreamEnds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out once more what came of a change that is in the log. For one thread. */
public final class PastOutcome implements PlaybackListener {

  private final CallId wanted;
  private final Address address;
  private @Nullable Outcome outcome;

  private PastOutcome(CallId wanted, Address address) {
    this.wanted = wanted;
    this.address = address;
  }

  /**
   * Plays the object's history once more up to the change.
   *
   * @return empty: no state from before it is left to begin at, or it is not this object's change
   * @throws HistoryTrimmedException if that part of its history has been forgotten
   */
  public static <T> Optional<Outcome> of(PlayedObject<T> object, CallId call, Address address) {
    PastOutcome search = new PastOutcome(call, address);
    object.context().client().past().add(address.value());
    try {
      Player<T> past = Player.through(object, address, search);
      StreamEnds unused = past.playTo(object.context().client().streamEnds().ask(object));
      return Optional.ofNullable(search.outcome);
    } finally {
      object.context().client().past().remove(address.value());
    }
  }

  @Override
  public void meets(State<?> state, int payloadBytes) {}

  @Override
  public void carriedOut(CallId call, Address at, Outcome came) {
    if (call.equals(wanted) && at.equals(address)) {
      outcome = came;
    }
  }
}
