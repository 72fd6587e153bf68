package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.List;
import java.util.OptionalLong;

/** The outcome of a {@link TokenWish}. */
public sealed interface TokenOutcome {

  /**
   * A token.
   *
   * @param address the log address
   * @param places the position in each of the entry's streams, in the order of the wish
   */
  record Issued(long address, List<StreamPosition> places) implements TokenOutcome {
    public Issued {
      places = List.copyOf(places);
    }
  }

  /**
   * No token: a read part has changed since the snapshot, or may have changed as far as the
   * sequencer remembers.
   *
   * @param stream the stream that changed
   * @param key the read key that changed, or empty if the whole stream counts
   * @param address the log address of the newest change, or the highest that it can have
   */
  record Conflict(StreamId stream, OptionalLong key, long address) implements TokenOutcome {}
}
