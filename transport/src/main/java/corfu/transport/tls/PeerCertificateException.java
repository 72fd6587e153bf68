package corfu.transport.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import java.security.cert.CertificateException;

/** The other side's certificate is not accepted. The message is for people of this side. */
final class PeerCertificateException extends CertificateException {
  private static final long serialVersionUID = 1L;

  /** The reason in the terms of OpenSSL, from which BoringSSL derives the alert. */
  enum Reason {
    NOT_YET_VALID(9),
    EXPIRED(10),
    UNKNOWN_AUTHORITY(20),
    REVOKED(23),
    REJECTED(28);

    private final int code;

    Reason(int code) {
      this.code = code;
    }
  }

  private final Reason reason;

  PeerCertificateException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  PeerCertificateException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns the same failure for the TLS engine, which tells the other side the reason. */
  CertificateException forEngine() {
    return new OpenSslCertificateException(getMessage(), this, reason.code);
  }
}
