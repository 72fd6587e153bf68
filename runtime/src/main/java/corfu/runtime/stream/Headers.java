package corfu.runtime.stream;

import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import java.util.Optional;

/** What entries say of a stream. */
final class Headers {

  private Headers() {}

  /** Empty if it is no entry of the stream. */
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
