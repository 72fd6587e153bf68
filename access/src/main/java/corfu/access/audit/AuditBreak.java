package corfu.access.audit;

/**
 * A place at which the chain of the audit log is broken.
 *
 * @param address the log address of the first record that does not fit
 * @param reason the reason, for people
 */
public record AuditBreak(long address, String reason) {}
