package corfu.nbd.internal.session;

/** The answer of a server to STARTTLS. */
public enum TlsNeed {
  /** It is refused. */
  OFF,
  /** The client may choose. */
  OPTIONAL,
  /** Nothing but STARTTLS and ABORT is served before. */
  REQUIRED
}
