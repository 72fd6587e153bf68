package corfu.runtime;

import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import java.util.Collection;
import java.util.List;

/**
 * New entries of streams as the log units tell of them, which is when they are complete (CORFU,
 * section 4: reliable multicast). For {@code corfu.runtime.stream}; applications use subscriptions.
 *
 * <p>Pushed entries are hints: an entry may come late, out of order, twice, or never. A receiver
 * that needs all of them looks at the streams' ends from time to time. Thread-safe.
 */
public interface Pushes extends AutoCloseable {

  /** Who is told. Called on the listeners' threads: nothing must block. */
  interface Receiver {

    /**
     * An entry is complete.
     *
     * @param streams what it says of those followed streams for which that holds
     */
    void pushed(LogEntry.Data entry, List<StreamHeader> streams);

    /** Entries of any of the streams may have come that were not told of, and will not be. */
    void missed();

    /** The client is closed. */
    void closed();
  }

  /** From some time soon, entries of these streams are told of. */
  void follow(Collection<StreamId> streams);

  /** Entries of these streams need not be told of any more. */
  void unfollow(Collection<StreamId> streams);

  /** Listens to nobody any more. */
  @Override
  void close();
}
