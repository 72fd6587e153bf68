package corfu.protocol.stream;

import java.util.List;

/**
 * What a log unit found of a stream.
 *
 * @param trimmedBefore the stream has been trimmed below this stream address, as far as the unit
 *     knows
 * @param newestFirst entries of the stream that the unit holds, the newest first. What has been
 *     trimmed may be among them.
 */
public record Occurrences(long trimmedBefore, List<Occurrence> newestFirst) {

  public Occurrences {
    newestFirst = List.copyOf(newestFirst);
  }

  /** An entry of a stream. */
  public record Occurrence(long address, long streamAddress) {}
}
