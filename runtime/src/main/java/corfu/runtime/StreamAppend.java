package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.OptionalLong;

/** What became of an append to streams. */
public sealed interface StreamAppend {

  /**
   * It is in the log, and in all its streams.
   *
   * @param address in the log
   * @param places in each stream, in ascending order of their ids
   * @param epoch in which its address was issued
   */
  record Appended(Address address, List<Place> places, Epoch epoch) implements StreamAppend {
    public Appended {
      places = List.copyOf(places);
    }

    /**
     * Its place in this stream.
     *
     * @throws IllegalArgumentException if it is not in it
     */
    public StreamAddress in(StreamId stream) {
      return places.stream()
          .filter(place -> place.stream().equals(stream))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "the entry at " + address + " is not in stream " + stream))
          .streamAddress();
    }
  }

  /**
   * Nothing was appended: what its condition says was read has changed since the snapshot, or may
   * have, as far as the sequencer remembers.
   *
   * @param stream where
   * @param key the hash of which key; empty: the stream as a whole
   * @param address that of the newest change, or the highest one that it can have. Read up to it,
   *     and try again with a newer snapshot.
   */
  record Conflict(StreamId stream, OptionalLong key, Address address) implements StreamAppend {}

  /** An entry's place in a stream. */
  record Place(StreamId stream, StreamAddress streamAddress) {}
}
