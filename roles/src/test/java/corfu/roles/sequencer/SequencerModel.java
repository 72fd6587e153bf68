package corfu.roles.sequencer;

import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome.Conflict;
import corfu.protocol.stream.TokenOutcome.Issued;
import corfu.protocol.stream.TokenWish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A sequencer's correct answers in one epoch, computed with plain maps that hold the whole past.
 */
final class SequencerModel {

  private final long floor;
  private final Map<StreamId, StreamPosition> ends = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private long next;

  SequencerModel(long floor) {
    this.floor = floor;
    this.next = floor;
  }

  /** A change of a key; without a key, of the whole stream. */
  private record Change(StreamId stream, Optional<Long> key, long address) {}

  long floor() {
    return floor;
  }

  long next() {
    return next;
  }

  StreamPosition end(StreamId stream) {
    return ends.getOrDefault(stream, StreamPosition.START);
  }

  /** Returns the unknown streams. */
  List<StreamId> unknown(List<StreamId> named, List<StreamTail> known) {
    if (floor == 0) {
      return List.of();
    }
    Set<StreamId> unknown = new LinkedHashSet<>(named);
    unknown.removeAll(ends.keySet());
    known.forEach(tail -> unknown.remove(tail.stream()));
    return List.copyOf(unknown);
  }

  void learn(List<StreamTail> known) {
    if (floor > 0) {
      known.forEach(tail -> ends.putIfAbsent(tail.stream(), tail.end()));
    }
  }

  void plain(int count) {
    next += count;
  }

  Issued issue(List<StreamPart> writes) {
    List<StreamPosition> places = new ArrayList<>();
    for (StreamPart part : writes) {
      places.add(end(part.stream()));
      ends.put(part.stream(), end(part.stream()).after(next));
      if (part.keys().isEmpty()) {
        changes.add(new Change(part.stream(), Optional.empty(), next));
      }
      part.keys().forEach(key -> changes.add(new Change(part.stream(), Optional.of(key), next)));
    }
    return new Issued(next++, places);
  }

  /**
   * Returns the conflict for which a sequencer that forgets nothing of its epoch refuses a token.
   */
  Optional<Conflict> conflict(TokenWish wish) {
    return wish.condition()
        .flatMap(
            condition ->
                condition.reads().stream()
                    .flatMap(part -> conflict(part, condition.snapshot()).stream())
                    .findFirst());
  }

  private Optional<Conflict> conflict(StreamPart part, long snapshot) {
    StreamId stream = part.stream();
    long newest = newestOf(stream);
    Optional<Conflict> ofStream =
        newest >= snapshot
            ? Optional.of(new Conflict(stream, OptionalLong.empty(), newest))
            : Optional.empty();
    boolean isBeforeEpoch = snapshot < floor;
    return part.keys().isEmpty()
        ? ofStream
        : newestOfKeys(part, snapshot).or(() -> isBeforeEpoch ? ofStream : Optional.empty());
  }

  /**
   * Returns the newest change: keys in the order of the reads, then changes of the whole stream.
   */
  private Optional<Conflict> newestOfKeys(StreamPart part, long snapshot) {
    StreamId stream = part.stream();
    List<Optional<Long>> keys = new ArrayList<>(part.keys().stream().map(Optional::of).toList());
    keys.add(Optional.empty());
    for (Optional<Long> key : keys) {
      Optional<Change> newest =
          changes.reversed().stream()
              .filter(change -> change.stream().equals(stream) && change.key().equals(key))
              .filter(change -> change.address() >= snapshot)
              .findFirst();
      if (newest.isPresent()) {
        OptionalLong named = key.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        return Optional.of(new Conflict(stream, named, newest.get().address()));
      }
    }
    return Optional.empty();
  }

  private long newestOf(StreamId stream) {
    StreamPosition end = end(stream);
    if (end.previous().isEmpty()) {
      return end.streamAddress() == 0 ? -1 : floor - 1;
    }
    return Math.max(end.previous().at(0), end.streamAddress() - 1);
  }
}
