package corfu.store.http.access;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.Corfu;
import corfu.runtime.access.PolicyWatch;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsPeer;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * The identities and the permissions of the clients of one server. It reads changed certificates
 * and token keys within seconds, and follows the cluster's policy. Thread-safe.
 */
public final class StoreAccess implements AutoCloseable {

  private final TlsCredentials credentials;
  private final Optional<BearerTokens> tokens;
  private final StorePermissions permissions;

  private StoreAccess(
      TlsCredentials credentials, Optional<BearerTokens> tokens, StorePermissions permissions) {
    this.credentials = credentials;
    this.tokens = tokens;
    this.permissions = permissions;
  }

  /**
   * Loads the files, and begins to follow the policy.
   *
   * @param security the server's security, which is on
   * @param corfu a client that may {@code observe}
   * @param store the store's name
   * @throws corfu.transport.tls.TlsException if a certificate, key or authority cannot be used
   * @throws corfu.pki.PkiException if the token keys cannot be used
   */
  public static StoreAccess open(StoreSecurity security, Corfu corfu, String store) {
    World world = corfu.streamAccess().world();
    TlsCredentials credentials = TlsCredentials.open(world, security.tls());
    try {
      credentials.checkForServer();
      Optional<BearerTokens> tokens =
          security.tokens().map(accepted -> new BearerTokens(world, accepted));
      Optional<PolicyWatch> watch =
          security.rule() == PermissionRule.POLICY
              ? Optional.of(PolicyWatch.start(corfu))
              : Optional.empty();
      return new StoreAccess(credentials, tokens, new StorePermissions(security, store, watch));
    } catch (RuntimeException failure) {
      credentials.close();
      throw failure;
    }
  }

  /** Returns the server's certificate and rules of TLS. */
  public TlsCredentials credentials() {
    return credentials;
  }

  /**
   * Returns the sender of a request. Its certificate proves its identity, or else its token. If it
   * has both, they must prove the same one.
   *
   * @param session the connection's TLS session
   * @param authorization all headers of this name
   */
  public Caller caller(SSLSession session, List<String> authorization) {
    Identity byCertificate;
    try {
      TlsPeer peer = credentials.clientOf(session);
      byCertificate = peer.identity();
    } catch (SSLException refused) {
      return new Caller.Unproven("the certificate is not accepted: " + refused.getMessage());
    }
    if (tokens.isEmpty()) {
      return new Caller.Known(byCertificate); // a header for a proxy in between means nothing here
    }
    return switch (tokens.get().caller(authorization)) {
      case Caller.Unproven unproven -> unproven;
      case Caller.Known(Identity byToken) -> {
        if (byToken.equals(Identity.ANONYMOUS)) {
          yield new Caller.Known(byCertificate);
        }
        yield byCertificate.equals(Identity.ANONYMOUS) || byCertificate.equals(byToken)
            ? new Caller.Known(byToken)
            : new Caller.Unproven("the certificate and the token prove different identities");
      }
    };
  }

  /**
   * Decides on a request that needs a permission. May wait for a moment until the newest policy is
   * known.
   */
  public AccessVerdict decide(Identity identity, Permission permission) {
    return permissions.decide(identity, permission);
  }

  @Override
  public void close() {
    permissions.close();
    credentials.close();
  }
}
