package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request for one token.
 *
 * @param writes the streams of the entry, each once, and the keys that it changes there; empty for
 *     an entry of no stream
 * @param condition the condition of the token, or empty for none
 */
public record TokenWish(List<StreamPart> writes, Optional<Condition> condition) {

  /** A wish for an entry of no stream. */
  public static final TokenWish PLAIN = new TokenWish(List.of(), Optional.empty());

  public TokenWish {
    writes = List.copyOf(writes);
    if (!ascend(writes)) {
      requireEachOnce(writes);
    }
  }

  /**
   * Returns whether the ids ascend. Then each stream occurs once, and none is reserved. Clients
   * send wishes in this order.
   */
  private static boolean ascend(List<StreamPart> writes) {
    StreamId before = StreamId.NONE;
    for (int i = 0; i < writes.size(); i++) {
      StreamId stream = writes.get(i).stream();
      if (stream.compareTo(before) <= 0) {
        return false;
      }
      before = stream;
    }
    return true;
  }

  private static void requireEachOnce(List<StreamPart> writes) {
    Set<StreamId> streams = new HashSet<>();
    for (StreamPart part : writes) {
      if (part.stream().equals(StreamId.NONE) || !streams.add(part.stream())) {
        throw new IllegalArgumentException(
            "an entry is in a stream once, and in none that is reserved, but not in "
                + part.stream());
      }
    }
  }

  /** Returns the same wish with its streams in ascending order, the order of an entry's headers. */
  public TokenWish inOrder() {
    return ascend(writes)
        ? this
        : new TokenWish(
            writes.stream().sorted(Comparator.comparing(StreamPart::stream)).toList(), condition);
  }

  /** Returns a wish for an entry that changes all of these streams as a whole. */
  public static TokenWish in(List<StreamId> streams) {
    List<StreamPart> writes = new ArrayList<>(streams.size());
    for (StreamId stream : streams) {
      writes.add(StreamPart.whole(stream));
    }
    return new TokenWish(writes, Optional.empty());
  }
}
