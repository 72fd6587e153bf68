package corfu.runtime;

import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import java.util.Collection;
import java.util.List;

/**
 * New entries of streams, pushed by the log units when they are complete (CORFU, section 4:
 * reliable multicast). For {@code corfu.runtime.stream}; applications use subscriptions.
 *
 * <p>Pushed entries are hints: an entry may come late, out of order, twice, or never. A receiver
 * that needs all entries must check the streams' ends from time to time. Thread-safe.
 */
public interface Pushes extends AutoCloseable {

  /**
   * The receiver of pushed entries. Its methods run on the listeners' threads and must not block.
   */
  interface Receiver {

    /**
     * Receives a complete entry.
     *
     * @param streams the entry's headers of the followed streams in which it is complete
     */
    void pushed(LogEntry.Data entry, List<StreamHeader> streams);

    /** Reports that entries of any followed stream may not have been pushed, and will not be. */
    void missed();

    /** Reports that the client is closed. */
    void closed();
  }

  /** Follows these streams too. Their entries are pushed from some later moment on. */
  void follow(Collection<StreamId> streams);

  /** Stops following these streams. Some of their entries may still be pushed. */
  void unfollow(Collection<StreamId> streams);

  /** Stops listening to all log units. */
  @Override
  void close();
}
