package corfu.transport.tls;

/** The implementation of TLS. */
public enum TlsEngine {
  /** BoringSSL if its native library is on the class path for this platform, otherwise the JDK. */
  AUTOMATIC,
  /** The JDK's implementation. */
  JDK,
  /** BoringSSL; an error if its library is missing. */
  NATIVE
}
