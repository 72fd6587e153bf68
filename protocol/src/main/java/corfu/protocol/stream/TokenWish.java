package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one token shall be for.
 *
 * @param writes the streams that the entry will be in, each once, and what it changes there; empty
 *     for an entry of no stream
 * @param condition without which there shall be no token; empty: none
 */
public record TokenWish(List<StreamPart> writes, Optional<Condition> condition) {

  /** Of an entry of no stream. */
  public static final TokenWish PLAIN = new TokenWish(List.of(), Optional.empty());

  public TokenWish {
    writes = List.copyOf(writes);
    Set<StreamId> streams = new HashSet<>();
    for (StreamPart part : writes) {
      if (part.stream().equals(StreamId.NONE) || !streams.add(part.stream())) {
        throw new IllegalArgumentException(
            "an entry is in a stream once, and in none that is reserved, but not in "
                + part.stream());
      }
    }
  }

  /** Of an entry that changes all of these streams. */
  public static TokenWish in(List<StreamId> streams) {
    return new TokenWish(streams.stream().map(StreamPart::whole).toList(), Optional.empty());
  }
}
