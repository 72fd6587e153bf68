package corfu.access.audit;

/** The bytes are no record of the audit log, or this version of the program cannot read it. */
public final class DamagedAuditException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedAuditException(String message) {
    super(message);
  }
}
