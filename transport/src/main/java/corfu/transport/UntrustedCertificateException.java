package corfu.transport;

import corfu.protocol.Endpoint;

/**
 * A TLS handshake failed because one side does not trust the certificate of the other. The request
 * was never sent. A retry fails until a certificate or an authority has been replaced.
 */
public final class UntrustedCertificateException extends UnreachableException {
  private static final long serialVersionUID = 1L;

  public UntrustedCertificateException(Endpoint endpoint, String reason) {
    super(endpoint, reason);
  }
}
