package corfu.runtime.access;

import corfu.access.audit.AuditEvent;
import corfu.protocol.Address;
import java.time.Instant;

/**
 * An event of the audit log.
 *
 * @param address the log address of the record that has it
 * @param server the name of the server that has reported it; empty if the entry is no record
 * @param time the time by that server's clock
 * @param event the event
 */
public record AuditLogEvent(Address address, String server, Instant time, AuditEvent event) {}
