package corfu.access.audit;

import java.util.List;

/**
 * A record of the audit log: some events of one server.
 *
 * @param previous the hash of the previous record of the whole log; {@link RecordHash#NONE} in the
 *     first one
 * @param server the server's name
 * @param life a random number of the server's process
 * @param number the number of the record among those of this process, from 0 on
 * @param millis the time of the record by the server's clock, in milliseconds since 1970
 * @param dropped the number of events that this process has dropped since its previous record,
 *     because the log could not be written
 * @param events the events, in their order
 */
public record AuditRecord(
    RecordHash previous,
    String server,
    long life,
    long number,
    long millis,
    long dropped,
    List<Timed> events) {

  /**
   * An event with its time.
   *
   * @param millis the time by the server's clock, in milliseconds since 1970
   */
  public record Timed(long millis, AuditEvent event) {}

  public AuditRecord {
    events = List.copyOf(events);
  }

  /** Returns the same record behind another one. */
  public AuditRecord behind(RecordHash other) {
    return new AuditRecord(other, server, life, number, millis, dropped, events);
  }
}
