package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.StreamAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where some streams ended at one moment. Whoever reads up to there has seen all that anybody could
 * know of then. Immutable.
 */
public final class StreamEnds {

  private final Map<StreamId, Integer> places;
  private final StreamAccess.Ends ends;
  private final Map<StreamId, StreamAddress> trims; // of those that somebody has asked for since
  private final Set<StreamId> empty; // as somebody has found since

  StreamEnds(List<StreamId> streams, StreamAccess.Ends ends) {
    this.places = HashMap.newHashMap(streams.size());
    this.ends = ends;
    this.trims = Map.of();
    this.empty = Set.of();
    streams.forEach(stream -> places.putIfAbsent(stream, places.size()));
  }

  private StreamEnds(StreamEnds ends, Map<StreamId, StreamAddress> trims, Set<StreamId> empty) {
    this.places = ends.places;
    this.ends = ends.ends;
    this.trims = Map.copyOf(trims);
    this.empty = Set.copyOf(empty);
  }

  /**
   * The same, with what was found out at this moment, or later.
   *
   * @param trimmedBefore how far some of the streams are trimmed
   * @param untouched other streams that have no entries
   */
  StreamEnds with(Map<StreamId, StreamAddress> trimmedBefore, Set<StreamId> untouched) {
    return new StreamEnds(this, trimmedBefore, untouched);
  }

  /** Empty: nobody has asked. */
  Optional<StreamAddress> trimmedBefore(StreamId stream) {
    return Optional.ofNullable(trims.get(stream));
  }

  /** Whether somebody has {@linkplain Streams#lookAhead looked}, and the stream had no entries. */
  public boolean isKnownEmpty(StreamId stream) {
    return empty.contains(stream);
  }

  /** The log's tail at that moment: whatever has been appended before is below. */
  public Address tail() {
    return ends.tail();
  }

  /** The epoch of that moment. The next one may issue again what this one has issued in vain. */
  public Epoch epoch() {
    return ends.epoch();
  }

  /** Where that epoch began: below, everything is decided. */
  public Address began() {
    return ends.began();
  }

  /**
   * The log address of the stream's newest entry, or of a token for one that is still to be written
   * or never will be; -1 if it has never had any.
   *
   * @throws IllegalArgumentException if the stream is not among those that were asked for
   */
  public long newest(StreamId stream) {
    var previous = of(stream).previous();
    return previous.isEmpty() ? -1 : previous.at(0);
  }

  /**
   * The place of the stream's next entry then.
   *
   * @throws IllegalArgumentException if the stream is not among those that were asked for
   */
  public StreamAddress end(StreamId stream) {
    return new StreamAddress(of(stream).streamAddress());
  }

  /**
   * The same moment for who reads this one of the streams only: without the newest tokens.
   *
   * @param count of how many of those that the end leads to; others are left, or it had no others
   */
  StreamEnds without(int count, StreamId stream) {
    StreamPosition end = of(stream);
    Backpointers last = end.previous();
    long[] rest = new long[last.count() - count];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = last.at(count + i);
    }
    var before = new StreamPosition(end.streamAddress() - count, Backpointers.of(rest));
    var tail = new Address(last.at(count - 1));
    return new StreamEnds(
        List.of(stream), new StreamAccess.Ends(tail, ends.began(), ends.epoch(), List.of(before)));
  }

  StreamAccess.Ends all() {
    return ends;
  }

  StreamPosition of(StreamId stream) {
    @Nullable Integer place = places.get(stream);
    if (place == null) {
      throw new IllegalArgumentException("nobody asked where stream " + stream + " ends");
    }
    return ends.ends().get(place);
  }
}
