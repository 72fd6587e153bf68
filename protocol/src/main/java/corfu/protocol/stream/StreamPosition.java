package corfu.protocol.stream;

import corfu.protocol.Backpointers;

/**
 * A place in a stream: that of an entry that may be written there, or the stream's end.
 *
 * @param streamAddress 0 or more
 * @param previous where the stream's newest entries before it are in the log. Tokens that were
 *     issued and never used may be among them.
 */
public record StreamPosition(long streamAddress, Backpointers previous) {

  /** The beginning of a stream that has nothing. */
  public static final StreamPosition START = new StreamPosition(0, Backpointers.NONE);

  public StreamPosition {
    if (streamAddress < 0) {
      throw new IllegalArgumentException(
          "a stream address is never negative, but this one is " + streamAddress);
    }
  }

  /** The place behind it, when an entry has come to it. */
  public StreamPosition after(long logAddress) {
    return new StreamPosition(streamAddress + 1, previous.behind(logAddress));
  }
}
