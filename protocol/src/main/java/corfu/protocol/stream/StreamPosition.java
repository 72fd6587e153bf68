package corfu.protocol.stream;

import corfu.protocol.Backpointers;

/**
 * A position in a stream: that of an entry that may be written there, or the stream's end.
 *
 * @param streamAddress the stream address, 0 or more
 * @param previous the log addresses of the stream's newest entries before it. They may include
 *     addresses of tokens that were never used.
 */
public record StreamPosition(long streamAddress, Backpointers previous) {

  /** The beginning of an empty stream. */
  public static final StreamPosition START = new StreamPosition(0, Backpointers.NONE);

  public StreamPosition {
    if (streamAddress < 0) {
      throw new IllegalArgumentException(
          "a stream address is never negative, but this one is " + streamAddress);
    }
  }

  /** Returns the next position, behind an entry at this position with this log address. */
  public StreamPosition after(long logAddress) {
    return new StreamPosition(streamAddress + 1, previous.behind(logAddress));
  }
}
