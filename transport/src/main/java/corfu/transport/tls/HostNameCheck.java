package corfu.transport.tls;

/** Whether a client compares a server's certificate with the host of its endpoint. */
public enum HostNameCheck {
  /** The certificate must name the host in a subject alternative name, as DNS name or address. */
  ON,
  /** Any certificate that the authorities have issued is accepted for any host. */
  OFF
}
