package corfu.runtime.stream;

import corfu.protocol.StreamAddress;

/**
 * The receiver of a stream's entries. It is called on threads of the client, one call at a time. It
 * may block, but only some subscriptions of a client are served at the same time. So a subscriber
 * that blocks for long may delay others. An exception from it ends the subscription.
 */
@FunctionalInterface
public interface Subscriber {

  /** Receives the next entry. The entry counts as delivered when this method returns. */
  void onEntry(StreamRead.Entry entry);

  /**
   * Reports that the entries from the subscription's position to this place were trimmed before
   * they were read.
   */
  default void onTrimmed(StreamAddress before) {}

  /**
   * Reports a failure that closes the subscription: for example, no replica can read an entry.
   * Servers that are away for a while, or have no space left, are no such failure.
   */
  default void onError(RuntimeException failure) {}

  /** Reports the end: no method will be called any more. */
  default void onClosed() {}
}
