package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.List;

/**
 * What somebody reads or writes of a stream.
 *
 * @param keys hashes of the keys inside the stream that it is about; empty: all of it
 */
public record StreamPart(StreamId stream, List<Long> keys) {

  public StreamPart {
    keys = List.copyOf(keys);
  }

  /** All of the stream. */
  public static StreamPart whole(StreamId stream) {
    return new StreamPart(stream, List.of());
  }
}
