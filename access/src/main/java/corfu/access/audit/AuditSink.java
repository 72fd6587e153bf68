package corfu.access.audit;

/** The receiver of a server's audit events. It must not block. Called on the server's loop. */
public interface AuditSink {

  /** A sink that drops all events. */
  AuditSink NONE = event -> {};

  void record(AuditEvent event);
}
