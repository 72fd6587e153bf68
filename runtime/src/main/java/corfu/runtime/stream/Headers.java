package corfu.runtime.stream;

import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import java.util.Optional;

/** The entries' headers of a stream. */
final class Headers {

  private Headers() {}

  /** Returns the entry's header of the stream, or empty if the entry is not in the stream. */
  static Optional<StreamHeader> of(LogEntry entry, StreamId stream) {
    if (!(entry instanceof LogEntry.Data data)) {
      return Optional.empty();
    }
    for (StreamHeader header : data.streams()) {
      if (header.stream().equals(stream)) {
        return Optional.of(header);
      }
    }
    return Optional.empty();
  }
}
