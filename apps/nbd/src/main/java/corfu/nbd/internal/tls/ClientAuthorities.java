package corfu.nbd.internal.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts clients whose certificates come from some authorities, but does not tell their names.
 * GnuTLS, which qemu and libnbd use, sends no certificate with an RSA key to a server of the JDK
 * that names its authorities in TLS 1.3. Without names it sends the one that it has.
 */
final class ClientAuthorities extends X509ExtendedTrustManager {

  private final X509ExtendedTrustManager trust;

  private ClientAuthorities(X509ExtendedTrustManager trust) {
    this.trust = trust;
  }

  /** Returns a manager that trusts certificates of these authorities. */
  static ClientAuthorities of(X509Certificate[] authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.length; i++) {
      store.setCertificateEntry("authority " + i, authorities[i]);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return new ClientAuthorities(trust);
      }
    }
    throw new IllegalStateException("the JDK has no trust manager for X.509");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String keyType, @Nullable SSLEngine engine)
      throws CertificateException {
    trust.checkClientTrusted(chain, keyType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, @Nullable Socket socket)
      throws CertificateException {
    trust.checkClientTrusted(chain, keyType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    trust.checkClientTrusted(chain, keyType);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String keyType, @Nullable SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("a server does not connect to servers");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, @Nullable Socket socket)
      throws CertificateException {
    throw new CertificateException("a server does not connect to servers");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw new CertificateException("a server does not connect to servers");
  }
}
