package corfu.mirror;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Origin;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.Streams;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Repeats the source's trims in the mirror. It waits until the mirror holds everything that the
 * source held when the trim was seen. An application writes a checkpoint before it trims, and the
 * mirror needs a copy of that checkpoint first.
 */
final class TrimReplication {

  private static final int ASKED_TOGETHER = 1000;

  private record Seen(Address when, Address beginning, Map<StreamId, StreamAddress> streams) {}

  private final Corfu source;
  private final Corfu target;
  private final Map<StreamId, StreamAddress> given = new HashMap<>();
  private Address givenBelow = new Address(0);
  private Optional<Seen> seen = Optional.empty();

  TrimReplication(Corfu source, Corfu target) {
    this.source = source;
    this.target = target;
  }

  /** Asks for the source's trims, unless earlier ones still wait. */
  void look(Origin origin) {
    if (seen.isPresent()) {
      return;
    }
    StreamAccess access = source.streamAccess();
    List<StreamId> streams =
        Streams.over(source).list().map(Map.Entry::getKey).filter(origin::takes).toList();
    Map<StreamId, StreamAddress> marks = new HashMap<>();
    for (int low = 0; low < streams.size(); low += ASKED_TOGETHER) {
      var some = streams.subList(low, Math.min(streams.size(), low + ASKED_TOGETHER));
      var queries = some.stream().map(stream -> StreamQuery.below(stream, Long.MAX_VALUE)).toList();
      List<StreamAccess.Found> found = access.find(queries, 1);
      for (int i = 0; i < some.size(); i++) {
        marks.put(some.get(i), found.get(i).trimmedBefore());
      }
    }
    Address beginning = access.beginning();
    seen = Optional.of(new Seen(source.log().tail(), beginning, marks));
  }

  /** Repeats the waiting trims if the mirror has copied enough. */
  void forget(Address copied) {
    if (seen.isEmpty() || copied.compareTo(seen.get().when()) < 0) {
      return;
    }
    Seen done = seen.get();
    done.streams()
        .forEach(
            (stream, before) -> {
              StreamAddress sofar = given.getOrDefault(stream, StreamAddress.ZERO);
              if (before.compareTo(sofar) > 0) {
                target.streamAccess().trim(stream, before);
                given.put(stream, before);
              }
            });
    if (done.beginning().compareTo(givenBelow) > 0) {
      target.log().prefixTrim(done.beginning());
      givenBelow = done.beginning();
    }
    seen = Optional.empty();
  }
}
