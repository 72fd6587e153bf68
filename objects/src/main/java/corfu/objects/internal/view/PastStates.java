package corfu.objects.internal.view;

import corfu.objects.internal.client.LogPrefix;
import corfu.objects.internal.state.State;
import corfu.protocol.Epoch;
import corfu.runtime.stream.StreamEnds;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Past states that were asked for, in case these or other states are asked for again. A state is
 * valid for all snapshots between two of the object's changes. Some types keep older states at next
 * to no cost. There, a state that is played a little further than was asked for is valid for all
 * snapshots on its way. Thread-safe.
 */
public final class PastStates<T> {

  private static final int MOST = 4;

  /** The most entries that are played behind the state that was asked for. */
  private static final int MOST_BEYOND = 256;

  private final PlayedObject<T> object;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Span, State<T>> kept = new LinkedHashMap<>(8, 0.75f, true);

  /** Of which snapshots a state is; of no epoch if all below is decided. */
  private record Span(Epoch epoch, long from, long to) {

    boolean has(Epoch wanted, long before) {
      return epoch.equals(wanted) && from <= before && before <= to;
    }

    boolean covers(Span other) {
      return has(other.epoch, other.from) && has(other.epoch, other.to);
    }
  }

  public PastStates(PlayedObject<T> object) {
    this.object = object;
  }

  /** How many are kept. */
  public int count() {
    lock.lock();
    try {
      return kept.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A state that tells what was there at a snapshot.
   *
   * @param decidedBelow all below was decided before {@code ends} was asked for, so that it tells
   *     of all that is in the stream there
   * @param ends where the stream ends, asked for after the snapshot was taken
   */
  public State<T> at(LogPrefix wanted, long decidedBelow, StreamEnds ends) {
    Epoch epoch = wanted.isDecided() ? Epoch.NONE : wanted.epoch();
    return find(epoch, wanted.before()).orElseGet(() -> make(epoch, wanted, decidedBelow, ends));
  }

  /**
   * A state that is kept, and tells what was there at a snapshot below which all is decided; for
   * which nobody needs to be asked where the stream ends.
   */
  public Optional<State<T>> kept(long before) {
    return find(Epoch.NONE, before);
  }

  private Optional<State<T>> find(Epoch epoch, long before) {
    lock.lock();
    try {
      return kept.keySet().stream()
          .filter(span -> span.has(epoch, before))
          .findFirst()
          .map(kept::get);
    } finally {
      lock.unlock();
    }
  }

  private State<T> make(Epoch epoch, LogPrefix wanted, long decidedBelow, StreamEnds ends) {
    long before = wanted.before();
    object.context().client().past().add(before);
    Player<T> player;
    try {
      player =
          wanted.isDecided() && object.context().type().snapshots().isPresent()
              ? Player.beyond(object, before, Math.max(before, decidedBelow), MOST_BEYOND)
              : Player.past(object, before);
      StreamEnds unused = player.playTo(ends);
    } finally {
      object.context().client().past().remove(before);
    }
    State<T> made = player.state();
    keep(new Span(epoch, made.newestBelow(before) + 1, player.reaches()), made);
    return made;
  }

  private void keep(Span span, State<T> state) {
    lock.lock();
    try {
      kept.keySet().removeIf(span::covers);
      kept.put(span, state);
      if (kept.size() > MOST) {
        kept.remove(kept.firstEntry().getKey());
      }
    } finally {
      lock.unlock();
    }
  }
}
