package corfu.transport.tls;

import java.security.cert.CertificateException;

/** The other side's certificate is not accepted. The message is for people of this side. */
final class PeerCertificateException extends CertificateException {
  private static final long serialVersionUID = 1L;

  PeerCertificateException(String message) {
    super(message);
  }

  PeerCertificateException(String message, Throwable cause) {
    super(message, cause);
  }
}
