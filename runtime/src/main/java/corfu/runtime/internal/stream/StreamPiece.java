package corfu.runtime.internal.stream;

import corfu.protocol.Entry;
import java.util.List;
import java.util.OptionalLong;

/** The entries of a stream in a part of the log. For use inside this package. */
public sealed interface StreamPiece {

  /**
   * The stream's entries there, as one of its own replicas holds them. Some may not have reached
   * that replica yet.
   *
   * @param readBelow the log address up to which these are all entries that the replica holds
   * @param trimmedBefore the stream address below which the stream is trimmed, as the replica knows
   *     it; empty if no replica was asked
   */
  record Entries(List<Entry> entries, long readBelow, OptionalLong trimmedBefore)
      implements StreamPiece {}

  /**
   * Streams have no replicas of their own there.
   *
   * @param below the log address at which this part ends
   */
  record NotReplicated(long below) implements StreamPiece {}
}
