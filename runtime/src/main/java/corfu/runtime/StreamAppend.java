package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.OptionalLong;

/** The outcome of an append to streams. */
public sealed interface StreamAppend {

  /**
   * The entry is in the log, and in all its streams.
   *
   * @param address the log address of the entry
   * @param places the entry's place in each stream, in ascending order of the streams' ids
   * @param epoch the epoch that issued the address
   */
  record Appended(Address address, List<Place> places, Epoch epoch) implements StreamAppend {
    public Appended {
      places = List.copyOf(places);
    }

    /**
     * Returns the entry's place in this stream.
     *
     * @throws IllegalArgumentException if the entry is not in the stream
     */
    public StreamAddress in(StreamId stream) {
      return place(stream).streamAddress();
    }

    /**
     * Returns the entry's place in this stream, with what precedes it there.
     *
     * @throws IllegalArgumentException if the entry is not in the stream
     */
    public Place place(StreamId stream) {
      return places.stream()
          .filter(place -> place.stream().equals(stream))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "the entry at " + address + " is not in stream " + stream));
    }
  }

  /**
   * Nothing was appended. Data that the condition names has changed since the snapshot, or may
   * have, as far as the sequencer remembers.
   *
   * @param stream the stream that changed
   * @param key the hash of the changed key; empty for the stream as a whole
   * @param address the address of the newest change, or the highest address that it can have. Read
   *     up to it, and try again with a newer snapshot.
   */
  record Conflict(StreamId stream, OptionalLong key, Address address) implements StreamAppend {}

  /**
   * An entry's place in a stream.
   *
   * @param streamAddress its address in the stream
   * @param previous the log addresses of the newest entries before it; some may be of tokens that
   *     no append has used
   */
  record Place(StreamId stream, StreamAddress streamAddress, Backpointers previous) {}
}
