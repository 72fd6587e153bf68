package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.List;

/**
 * The part of a stream that a client reads or writes.
 *
 * @param stream the stream
 * @param keys hashes of the keys inside the stream; empty for the whole stream
 */
public record StreamPart(StreamId stream, List<Long> keys) {

  public StreamPart {
    keys = List.copyOf(keys);
  }

  /** Returns the whole stream as a part. */
  public static StreamPart whole(StreamId stream) {
    return new StreamPart(stream, List.of());
  }
}
