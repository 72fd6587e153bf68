package corfu.transport.tls;

/**
 * Whether connections are encrypted. A running cluster moves from {@link #OFF} over {@link
 * #OPTIONAL} to {@link #REQUIRED}, one server or client after the other.
 */
public enum TlsMode {
  /** Connections are plain. A server refuses clients that begin with TLS. */
  OFF,
  /**
   * A server serves clients with and without TLS. A client tries TLS first, and speaks without it
   * to a server that has none.
   */
  OPTIONAL,
  /** A server refuses clients without TLS. A client never speaks without it. */
  REQUIRED
}
