package corfu.transport.tls;

import corfu.protocol.Identity;
import corfu.transport.tls.PeerCertificateException.Reason;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the other side's certificate is accepted: a trusted authority has issued it, it
 * is valid now, not revoked, and of the expected trust domain; a server's also names its host.
 * During a resumed handshake the TLS engine checks nothing, so each connection is checked
 * {@linkplain #accept once more} after its handshake. Thread-safe.
 */
final class PeerCheck extends X509ExtendedTrustManager {

  private final X509ExtendedTrustManager path;
  private final TlsOptions options;
  private final Revocations revocations;
  private final LongSupplier wallTimeMillis;

  PeerCheck(
      TlsOptions options,
      List<X509Certificate> authorities,
      Revocations revocations,
      LongSupplier wallTimeMillis) {
    this.options = options;
    this.path = pathOf(authorities);
    this.revocations = revocations;
    this.wallTimeMillis = wallTimeMillis;
  }

  private static X509ExtendedTrustManager pathOf(List<X509Certificate> authorities) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate authority : authorities) {
        store.setCertificateEntry("authority-" + number++, authority);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
      throw new TlsException("this platform has no PKIX trust manager for X.509 certificates");
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("the trusted authorities cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the other side of a connection after its handshake.
   *
   * @param host the server's host, or empty for a client
   * @throws PeerCertificateException if the certificate is not accepted
   */
  TlsPeer accept(List<X509Certificate> certificates, Optional<String> host)
      throws PeerCertificateException {
    X509Certificate own = certificates.getFirst();
    Instant now = Instant.ofEpochMilli(wallTimeMillis.getAsLong());
    if (now.isAfter(own.getNotAfter().toInstant())) {
      throw new PeerCertificateException(
          Reason.EXPIRED,
          CertificateNames.describe(own)
              + " expired on "
              + own.getNotAfter().toInstant()
              + ": renew it");
    }
    if (revocations.contains(certificates)) {
      throw new PeerCertificateException(
          Reason.REVOKED,
          CertificateNames.describe(own) + " or its issuer's is revoked: issue another one");
    }
    Identity identity = CertificateNames.identity(own);
    Optional<String> domain = options.trustDomain();
    if (domain.isPresent() && !CertificateNames.isIn(domain.get(), identity)) {
      throw new PeerCertificateException(
          Reason.REJECTED,
          "%s is of '%s', not of the trust domain '%s': check that both sides are of one cluster"
              .formatted(CertificateNames.describe(own), identity, domain.get()));
    }
    if (host.isPresent()
        && options.hostNames() == HostNameCheck.ON
        && !CertificateNames.isOf(host.get(), own)) {
      throw new PeerCertificateException(
          Reason.REJECTED,
          ("%s is not of the host '%s': it names %s. Use one of these names, or issue a certificate"
                  + " that names the host")
              .formatted(CertificateNames.describe(own), host.get(), CertificateNames.hosts(own)));
    }
    return new TlsPeer(identity, certificates);
  }

  boolean isRevoked(TlsPeer peer) {
    return revocations.contains(peer.certificates());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, Optional.empty(), () -> path.checkClientTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(
        chain,
        Optional.ofNullable(engine.getPeerHost()),
        () -> path.checkServerTrusted(chain, type));
  }

  private interface PathCheck {
    void run() throws CertificateException;
  }

  private void check(X509Certificate[] chain, Optional<String> host, PathCheck check)
      throws CertificateException {
    if (chain.length == 0) {
      throw new CertificateException("there is no certificate");
    }
    try {
      try {
        check.run();
      } catch (CertificateException e) {
        throw explained(chain, e);
      }
      var unused = accept(List.of(chain), host);
    } catch (PeerCertificateException e) {
      throw e.forEngine();
    }
  }

  private PeerCertificateException explained(
      X509Certificate[] chain, CertificateException failure) {
    String certificate = CertificateNames.describe(chain[0]);
    for (X509Certificate one : chain) {
      Throwable cause = validity(one);
      if (cause instanceof CertificateExpiredException) {
        return new PeerCertificateException(
            Reason.EXPIRED,
            "%s expired on %s: renew it"
                .formatted(CertificateNames.describe(one), one.getNotAfter().toInstant()),
            failure);
      }
      if (cause instanceof CertificateNotYetValidException) {
        return new PeerCertificateException(
            Reason.NOT_YET_VALID,
            "%s is not valid before %s: check the clocks of both machines"
                .formatted(CertificateNames.describe(one), one.getNotBefore().toInstant()),
            failure);
      }
    }
    String reason =
        chain[0].getSubjectX500Principal().equals(chain[0].getIssuerX500Principal())
            ? "%s is self-signed, and not among the trusted authorities in %s"
                .formatted(certificate, options.authorities())
            : "%s was issued by '%s', which is no trusted authority in %s, or is unfit: %s"
                .formatted(
                    certificate,
                    chain[0].getIssuerX500Principal().getName(),
                    options.authorities(),
                    failure.getMessage());
    return new PeerCertificateException(Reason.UNKNOWN_AUTHORITY, reason, failure);
  }

  private @Nullable Throwable validity(X509Certificate certificate) {
    try {
      certificate.checkValidity(Date.from(Instant.ofEpochMilli(wallTimeMillis.getAsLong())));
      return null;
    } catch (CertificateExpiredException | CertificateNotYetValidException e) {
      return e;
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, Optional.empty(), () -> path.checkClientTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("a server's certificate cannot be checked without its host");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return path.getAcceptedIssuers();
  }
}
