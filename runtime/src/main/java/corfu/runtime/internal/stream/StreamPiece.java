package corfu.runtime.internal.stream;

import corfu.protocol.Entry;
import java.util.List;
import java.util.OptionalLong;

/** What was found of a stream in a part of the log. Inside this package. */
public sealed interface StreamPiece {

  /**
   * Its entries there, as one of the stream's own replicas holds them; some may not have come to it
   * yet.
   *
   * @param readBelow up to which log address this is all that the replica holds
   * @param trimmedBefore the stream is trimmed below this stream address, as the replica knows it;
   *     empty if there was nothing to ask it for
   */
  record Entries(List<Entry> entries, long readBelow, OptionalLong trimmedBefore)
      implements StreamPiece {}

  /**
   * Streams have no replicas of their own there.
   *
   * @param below up to this log address
   */
  record NotReplicated(long below) implements StreamPiece {}
}
