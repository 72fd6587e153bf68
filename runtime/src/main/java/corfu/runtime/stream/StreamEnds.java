package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.StreamAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where some streams ended at one moment. Whoever reads up to there has seen all that anybody could
 * know of then. Immutable.
 */
public final class StreamEnds {

  private final Map<StreamId, Integer> places;
  private final StreamAccess.Ends ends;

  StreamEnds(List<StreamId> streams, StreamAccess.Ends ends) {
    this.places = HashMap.newHashMap(streams.size());
    this.ends = ends;
    streams.forEach(stream -> places.putIfAbsent(stream, places.size()));
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
