package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Entry;

/** Turns entries of the protocol into log entries of the client's API. */
final class LogEntries {

  private LogEntries() {}

  static LogEntry of(Entry entry) {
    return entry.isHole() ? new LogEntry.Hole(new Address(entry.address())) : data(entry);
  }

  /**
   * @param entry not a hole
   */
  static LogEntry.Data data(Entry entry) {
    return new LogEntry.Data(new Address(entry.address()), entry.streams(), entry.payload());
  }
}
