package corfu.protocol.stream;

import corfu.protocol.StreamId;

/**
 * A search for entries of a stream below both bounds.
 *
 * @param stream the stream
 * @param below the log address below which the entries are
 * @param streamBelow the stream address below which the entries are
 */
public record StreamQuery(StreamId stream, long below, long streamBelow) {

  public StreamQuery {
    if (below < 0 || streamBelow < 0) {
      throw new IllegalArgumentException(
          "no entry of stream " + stream + " can be below " + below + " and " + streamBelow);
    }
  }

  /** Returns a query for the newest entries below a log address. */
  public static StreamQuery below(StreamId stream, long logAddress) {
    return new StreamQuery(stream, logAddress, Long.MAX_VALUE);
  }
}
