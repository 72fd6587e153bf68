package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.List;
import java.util.OptionalLong;

/** What became of a {@link TokenWish}. */
public sealed interface TokenOutcome {

  /**
   * A token.
   *
   * @param address in the log
   * @param places in each of the entry's streams, in the order of the wish
   */
  record Issued(long address, List<StreamPosition> places) implements TokenOutcome {
    public Issued {
      places = List.copyOf(places);
    }
  }

  /**
   * No token: this has changed since the snapshot, or may have changed, as far as the sequencer
   * remembers.
   *
   * @param stream in which stream
   * @param key which of the keys that were read; empty: the stream as a whole
   * @param address that of the newest change, or the highest that it can have
   */
  record Conflict(StreamId stream, OptionalLong key, long address) implements TokenOutcome {}
}
