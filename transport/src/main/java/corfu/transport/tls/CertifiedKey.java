package corfu.transport.tls;

import corfu.protocol.Identity;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The own certificate and its key.
 *
 * @param chain the certificate, followed by those of its issuers
 * @param key its private key
 * @param identity the name that it proves
 */
record CertifiedKey(List<X509Certificate> chain, PrivateKey key, Identity identity) {

  @Override
  public String toString() {
    return identity.toString(); // never the key
  }
}
