package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.List;

/** The end of a stream: behind its last existing entry (docs/design.md, section 4, R5). */
final class Tail {

  /** The number of newest entries to look up. Nearly always one of them exists. */
  private static final int NEWEST = 16;

  private Tail() {}

  /** Returns the place behind the stream's last entry. */
  static StreamAddress of(StreamAccess access, EntryCache cache, StreamId stream) {
    return below(access, cache, stream, Long.MAX_VALUE);
  }

  /** Returns the place behind the stream's last entry below a log address. */
  static StreamAddress below(
      StreamAccess access, EntryCache cache, StreamId stream, long logAddress) {
    long below = logAddress;
    while (true) {
      var query = StreamQuery.below(stream, below);
      StreamAccess.Found found = access.find(List.of(query), NEWEST).getFirst();
      List<Long> addresses = found.newestFirst().stream().map(Occurrence::address).toList();
      List<LogEntry> entries = cache.read(addresses);
      for (int i = 0; i < entries.size(); i++) {
        boolean exists =
            switch (entries.get(i)) {
              case LogEntry.Data data -> true;
              case LogEntry.Trimmed trimmed -> true;
              case LogEntry.Hole hole -> false;
              case LogEntry.Unwritten unwritten -> false;
            };
        if (exists) {
          return new StreamAddress(found.newestFirst().get(i).streamAddress() + 1);
        }
      }
      if (entries.size() < NEWEST) {
        return found.trimmedBefore();
      }
      below = addresses.getLast();
    }
  }
}
