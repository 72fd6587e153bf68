package corfu.objects.internal.view;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.List;
import java.util.Optional;

/**
 * Finds the place where a view can continue if it can't carry out an entry. That place is a
 * checkpoint behind the entry, or a roll-back behind it. A roll-back restores an earlier state of
 * the object, whatever has happened since. The states in between stay unknown. For one thread.
 */
final class RecoveryPointFinder<T> {

  private final PlayedObject<T> object;
  private final Checkpoints<T> checkpoints;

  /** The log address of the entry that the last search was for, or -1 before the first search. */
  private long entry = -1;

  /** The place in the stream below which the last search has found no roll-back. */
  private StreamAddress lookedAt = StreamAddress.ZERO;

  RecoveryPointFinder(PlayedObject<T> object, Checkpoints<T> checkpoints) {
    this.object = object;
    this.checkpoints = checkpoints;
  }

  /**
   * A state that does not depend on an entry.
   *
   * @param place the entry's, in the stream
   * @param ends how far the stream is wanted
   * @param limit the state holds nothing from this log address on
   * @return empty: there is none as yet
   */
  Optional<Checkpoints.Start<T>> behind(
      Address address, StreamAddress place, StreamEnds ends, long limit) {
    return checkpoints
        .startBehind(address, limit)
        .or(() -> rolledBack(address, place, ends, limit));
  }

  private Optional<Checkpoints.Start<T>> rolledBack(
      Address address, StreamAddress place, StreamEnds ends, long limit) {
    if (entry != address.value()) {
      entry = address.value();
      lookedAt = new StreamAddress(place.value() + 1);
    }
    StreamReader reader =
        object.context().client().streams().open(object.context().stream()).reader(lookedAt);
    StreamAddress unused = reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry next -> {
          if (next.address().value() >= limit) {
            return Optional.empty();
          }
          Optional<Checkpoints.Start<T>> found = at(next);
          if (found.isPresent()) {
            return found;
          }
          lookedAt = new StreamAddress(next.streamAddress().value() + 1);
        }
        case StreamRead.Trimmed trimmed -> {} // that there is no checkpoint is met elsewhere
        case StreamRead.Absent end -> {
          return Optional.empty();
        }
      }
    }
  }

  /** Empty: the entry does not roll the object back, or not to what this view can know. */
  private Optional<Checkpoints.Start<T>> at(StreamRead.Entry next) {
    try {
      return RecordCodec.decode(object.context().stream(), next.payload())
              instanceof Updates updates
          ? last(updates).map(first -> at(next, updates, first))
          : Optional.empty();
    } catch (SerializationException | UndecodableEntryException | HistoryTrimmedException no) {
      return Optional.empty();
    }
  }

  /** The place of the last roll-back of the object among the updates. */
  private Optional<Integer> last(Updates updates) {
    for (int i = updates.updates().size() - 1; i >= 0; i--) {
      Update update = updates.updates().get(i);
      if (update.object().equals(object.context().stream()) && RestoringUpdate.is(update)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private Checkpoints.Start<T> at(StreamRead.Entry next, Updates updates, int first) {
    UpdateResolver<T> resolver = new UpdateResolver<>(object);
    resolver.begin(true);
    List<ResolvedUpdate> all = resolver.of(next.address(), updates, first);
    T state = object.context().type().create();
    for (ResolvedUpdate step : all) {
      state = UncommittedUpdates.carriedOut(object, state, step);
    }
    long address = next.address().value();
    StreamAddress resume = new StreamAddress(next.streamAddress().value() + 1);
    return new Checkpoints.Start<>(state, address + 1, resume, 0, address);
  }
}
