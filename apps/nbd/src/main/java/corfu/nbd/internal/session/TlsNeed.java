package corfu.nbd.internal.session;

/** What a server does with STARTTLS. */
public enum TlsNeed {
  /** It is refused. */
  OFF,
  /** The client may choose. */
  OPTIONAL,
  /** Nothing but STARTTLS and ABORT is served before. */
  REQUIRED
}
