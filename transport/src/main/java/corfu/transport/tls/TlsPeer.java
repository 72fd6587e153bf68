package corfu.transport.tls;

import corfu.protocol.Identity;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The other side of a TLS connection, after the handshake.
 *
 * @param identity the name that the certificate proves, or {@link Identity#ANONYMOUS} without one
 * @param certificates the certificate and those of its issuers, in the order of the handshake;
 *     empty if the other side presented none
 */
public record TlsPeer(Identity identity, List<X509Certificate> certificates) {

  /** A client without a certificate. */
  public static final TlsPeer ANONYMOUS = new TlsPeer(Identity.ANONYMOUS, List.of());

  public TlsPeer {
    certificates = List.copyOf(certificates);
  }
}
