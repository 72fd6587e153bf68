package corfu.transport.tls;

/** Whether a server requires certificates of its clients. */
public enum ClientCertificates {
  /** Mutual TLS: each client must present a certificate that the server trusts. */
  REQUIRED,
  /**
   * A client may have no certificate; it is {@linkplain corfu.protocol.Identity#ANONYMOUS
   * anonymous}. A certificate that a client presents must still be trusted.
   */
  OPTIONAL
}
