package corfu.protocol.stream;

import corfu.protocol.StreamId;

/**
 * Which entries of a stream a log unit shall look for: those below both bounds.
 *
 * @param below a log address
 * @param streamBelow a stream address
 */
public record StreamQuery(StreamId stream, long below, long streamBelow) {

  public StreamQuery {
    if (below < 0 || streamBelow < 0) {
      throw new IllegalArgumentException(
          "no entry of stream " + stream + " can be below " + below + " and " + streamBelow);
    }
  }

  /** The newest entries below a log address. */
  public static StreamQuery below(StreamId stream, long logAddress) {
    return new StreamQuery(stream, logAddress, Long.MAX_VALUE);
  }
}
