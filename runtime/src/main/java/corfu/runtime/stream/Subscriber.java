package corfu.runtime.stream;

import corfu.protocol.StreamAddress;

/**
 * Who is given a stream's entries. Called on threads of the client's, one call at a time; it may
 * block, but only some subscriptions of a client are served at the same time, so that who blocks
 * for long may keep others waiting. What it throws ends the subscription.
 */
@FunctionalInterface
public interface Subscriber {

  /** The next entry. It counts as given when this returns. */
  void onEntry(StreamRead.Entry entry);

  /** Entries from where the subscription is up to this place were trimmed before they were read. */
  default void onTrimmed(StreamAddress before) {}

  /**
   * The subscription cannot go on, and is closed: for example because no replica of an entry can be
   * read. Servers that are away for a while, or have no space left, are no such reason.
   */
  default void onError(RuntimeException failure) {}

  /** Nothing more will be called. */
  default void onClosed() {}
}
