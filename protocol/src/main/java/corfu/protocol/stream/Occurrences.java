package corfu.protocol.stream;

import java.util.List;

/**
 * The entries of a stream that a log unit found.
 *
 * @param trimmedBefore the stream address below which the stream is trimmed, as far as the unit
 *     knows
 * @param newestFirst the stream's entries on this unit, the newest first. They may include trimmed
 *     ones.
 */
public record Occurrences(long trimmedBefore, List<Occurrence> newestFirst) {

  public Occurrences {
    newestFirst = List.copyOf(newestFirst);
  }

  /** The place of an entry in the log and in the stream. */
  public record Occurrence(long address, long streamAddress) {}
}
