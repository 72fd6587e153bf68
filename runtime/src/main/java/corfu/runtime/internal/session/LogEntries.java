package corfu.runtime.internal.session;

import corfu.protocol.Address;
import corfu.protocol.Entry;
import corfu.runtime.LogEntry;

/** Turns entries of the protocol into log entries of the client's API. */
public final class LogEntries {

  private LogEntries() {}

  public static LogEntry of(Entry entry) {
    return entry.isHole() ? new LogEntry.Hole(new Address(entry.address())) : data(entry);
  }

  /**
   * Returns an entry with data.
   *
   * @param entry an entry that is not a hole
   */
  public static LogEntry.Data data(Entry entry) {
    return new LogEntry.Data(new Address(entry.address()), entry.streams(), entry.payload());
  }
}
