package corfu.protocol.stream;

import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.Comparator;
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
    if (!ascend(writes)) {
      requireEachOnce(writes);
    }
  }

  /** Then each is there once, and none is reserved: clients send them so. */
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

  /** The same with the streams in ascending order, as an entry names them. */
  public TokenWish inOrder() {
    return ascend(writes)
        ? this
        : new TokenWish(
            writes.stream().sorted(Comparator.comparing(StreamPart::stream)).toList(), condition);
  }

  /** Of an entry that changes all of these streams. */
  public static TokenWish in(List<StreamId> streams) {
    List<StreamPart> writes = new ArrayList<>(streams.size());
    for (StreamId stream : streams) {
      writes.add(StreamPart.whole(stream));
    }
    return new TokenWish(writes, Optional.empty());
  }
}
