package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ends of some streams at one moment. A reader that reads up to these ends has seen all entries
 * that any client could know then. Immutable.
 */
public final class StreamEnds {

  private final Map<StreamId, Integer> places;
  private final StreamAccess.Ends ends;
  private final Map<StreamId, StreamAddress> trims; // of the streams that were looked up since
  private final Set<StreamId> empty; // streams found empty since

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
   * Returns these ends with facts that were found at this moment, or later.
   *
   * @param trimmedBefore the trim marks of some of the streams
   * @param untouched other streams that have no entries
   */
  StreamEnds with(Map<StreamId, StreamAddress> trimmedBefore, Set<StreamId> untouched) {
    return new StreamEnds(this, trimmedBefore, untouched);
  }

  /** Returns the stream's trim mark, or empty if it was not looked up. */
  Optional<StreamAddress> trimmedBefore(StreamId stream) {
    return Optional.ofNullable(trims.get(stream));
  }

  /**
   * Returns whether a {@linkplain Streams#lookAhead look-up} found that the stream had no entries.
   */
  public boolean isKnownEmpty(StreamId stream) {
    return empty.contains(stream);
  }

  /** Returns whether the stream's end was asked for. */
  public boolean has(StreamId stream) {
    return places.containsKey(stream);
  }

  /** Returns the log's tail at that moment. Every entry appended before is below it. */
  public Address tail() {
    return ends.tail();
  }

  /**
   * Returns the epoch of that moment. The next epoch may issue again the addresses that this one
   * issued in vain.
   */
  public Epoch epoch() {
    return ends.epoch();
  }

  /** Returns the address at which that epoch began. Below it, everything is decided. */
  public Address began() {
    return ends.began();
  }

  /**
   * Returns the log address of the stream's newest entry, or of a token that is not used yet or
   * never will be; -1 if the stream has never had any.
   *
   * @throws IllegalArgumentException if the stream's end was not asked for
   */
  public long newest(StreamId stream) {
    var previous = of(stream).previous();
    return previous.isEmpty() ? -1 : previous.at(0);
  }

  /**
   * Returns the place of the stream's next entry at that moment.
   *
   * @throws IllegalArgumentException if the stream's end was not asked for
   */
  public StreamAddress end(StreamId stream) {
    return new StreamAddress(of(stream).streamAddress());
  }

  /**
   * Returns these ends for readers of this one stream, without the newest tokens.
   *
   * @param count the number of tokens to leave out, of those that the end leads to; others remain,
   *     or the end leads to no others
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

  /**
   * Returns the end of one stream at the moment at which an entry received its place there. A
   * reader that reads up to it has seen all entries before this one.
   *
   * @return the end; empty if another epoch than that of these ends issued the place
   * @throws IllegalArgumentException if the entry is not in the stream
   */
  public Optional<StreamEnds> before(StreamAppend.Appended entry, StreamId stream) {
    if (!entry.epoch().equals(epoch())) {
      return Optional.empty();
    }
    StreamAppend.Place place = entry.place(stream);
    var end = new StreamPosition(place.streamAddress().value(), place.previous());
    return Optional.of(
        new StreamEnds(
            List.of(stream),
            new StreamAccess.Ends(entry.address(), began(), epoch(), List.of(end))));
  }

  StreamAccess.Ends all() {
    return ends;
  }

  StreamPosition of(StreamId stream) {
    @Nullable Integer place = places.get(stream);
    if (place == null) {
      throw new IllegalArgumentException("the end of stream " + stream + " was not asked for");
    }
    return ends.ends().get(place);
  }
}
