package corfu.transport.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the own certificate to every other side, also if a server names other authorities.
 * Otherwise a client would appear as anonymous there, and neither side would learn the reason.
 */
final class OwnCertificate extends X509ExtendedKeyManager {

  private static final String ALIAS = "own";

  private final CertifiedKey own;

  OwnCertificate(CertifiedKey own) {
    this.own = own;
  }

  private boolean isOneOf(String... types) {
    for (String type : types) {
      if (type.startsWith(own.key().getAlgorithm())) { // also EC_EC and RSASSA-PSS
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
    return isOneOf(types) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, Socket socket) {
    return isOneOf(types) ? ALIAS : null;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return isOneOf(type) ? new String[] {ALIAS} : null;
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return isOneOf(type) ? new String[] {ALIAS} : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return isOneOf(type) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, Socket socket) {
    return isOneOf(type) ? ALIAS : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return own.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return own.key();
  }
}
