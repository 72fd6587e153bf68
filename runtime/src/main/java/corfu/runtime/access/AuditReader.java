package corfu.runtime.access;

import corfu.access.audit.AuditCodec;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditRecord;
import corfu.access.audit.DamagedAuditException;
import corfu.protocol.Identity;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the audit log from a place on. Not thread-safe. */
public final class AuditReader {

  /** The number of records that are read together. */
  private static final int TOGETHER = 256;

  private final StreamReader reader;

  AuditReader(StreamReader reader) {
    this.reader = reader;
  }

  /**
   * Returns the next events, or an empty list if there are no more now. A later call returns later
   * events.
   */
  public List<AuditLogEvent> next() {
    List<AuditLogEvent> events = read();
    if (events.isEmpty()) {
      var unused = reader.sync();
      events = read();
    }
    return events;
  }

  private List<AuditLogEvent> read() {
    List<AuditLogEvent> events = new ArrayList<>();
    for (int i = 0; i < TOGETHER || events.isEmpty(); i++) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry -> events.addAll(eventsOf(entry));
        case StreamRead.Trimmed trimmed -> {}
        case StreamRead.Absent end -> {
          return events;
        }
      }
    }
    return events;
  }

  /** Returns the events of a record. Lost events and foreign entries are events, too. */
  static List<AuditLogEvent> eventsOf(StreamRead.Entry entry) {
    AuditRecord record;
    try {
      record = AuditCodec.decode(entry.payload());
    } catch (DamagedAuditException foreign) {
      return List.of(
          new AuditLogEvent(
              entry.address(),
              "",
              Instant.EPOCH,
              unlisted(1, "the entry is no record of the audit log: " + foreign.getMessage())));
    }
    List<AuditLogEvent> events = new ArrayList<>();
    if (record.dropped() > 0) {
      AuditEvent lost =
          unlisted(record.dropped(), "events were dropped, because the log could not be written");
      events.add(event(entry, record, record.millis(), lost));
    }
    for (AuditRecord.Timed timed : record.events()) {
      events.add(event(entry, record, timed.millis(), timed.event()));
    }
    return events;
  }

  private static AuditLogEvent event(
      StreamRead.Entry entry, AuditRecord record, long millis, AuditEvent event) {
    return new AuditLogEvent(entry.address(), record.server(), Instant.ofEpochMilli(millis), event);
  }

  private static AuditEvent unlisted(long count, String detail) {
    return new AuditEvent(
        AuditEvent.Kind.UNLISTED,
        Identity.ANONYMOUS,
        "",
        "",
        Optional.empty(),
        Optional.empty(),
        detail,
        count);
  }
}
