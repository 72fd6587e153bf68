package corfu.store.http.access;

import corfu.access.Subject;
import corfu.protocol.Identity;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.util.List;
import java.util.Optional;

/**
 * The encryption of a store's HTTP server, and who may use it.
 *
 * @param tls the server's certificate, the trusted issuers of its clients' certificates, and
 *     whether clients need one. With {@link TlsMode#OFF}, everyone may do everything
 * @param tokens the accepted tokens; empty if the server accepts none
 * @param rule the source of permissions
 * @param administrators identities that may do everything, also while the policy cannot be read
 */
public record StoreSecurity(
    TlsOptions tls,
    Optional<TokenOptions> tokens,
    PermissionRule rule,
    List<Subject> administrators) {

  /** Plain HTTP, and everyone who reaches the port may do everything. */
  public static final StoreSecurity NONE =
      new StoreSecurity(TlsOptions.OFF, Optional.empty(), PermissionRule.POLICY, List.of());

  public StoreSecurity {
    administrators = List.copyOf(administrators);
    if (tls.mode() == TlsMode.OPTIONAL) {
      throw new IllegalArgumentException(
          "one port of a store server has either HTTP or HTTPS; start a second server for the"
              + " other");
    }
    if (tls.mode() != TlsMode.OFF && tls.certificate().isEmpty()) {
      throw new IllegalArgumentException(
          "HTTPS needs a certificate of the server and its private key: name both files");
    }
    if (tls.mode() == TlsMode.OFF && tokens.isPresent()) {
      throw new IllegalArgumentException(
          "tokens need HTTPS, because everyone on the way could read them: name a certificate");
    }
    if (administrators.stream().anyMatch(one -> one.matches(Identity.ANONYMOUS))
        || administrators.stream().anyMatch(Subject.RoleName.class::isInstance)) {
      throw new IllegalArgumentException(
          "administrators are identities or prefixes of identities, and not anonymous or a role");
    }
  }

  /**
   * Returns the security of HTTPS whose clients have certificates, and permissions by the policy.
   */
  public static StoreSecurity of(TlsOptions tls) {
    return new StoreSecurity(tls, Optional.empty(), PermissionRule.POLICY, List.of());
  }

  /** Returns the same security, with tokens for clients without a certificate. */
  public StoreSecurity withTokens(TokenOptions accepted) {
    return new StoreSecurity(tls, Optional.of(accepted), rule, administrators);
  }

  /** Returns the same security with another source of permissions. */
  public StoreSecurity withRule(PermissionRule other) {
    return new StoreSecurity(tls, tokens, other, administrators);
  }

  /** Returns the same security with these administrators. */
  public StoreSecurity withAdministrators(Subject... subjects) {
    return new StoreSecurity(tls, tokens, rule, List.of(subjects));
  }

  /** Returns whether the server uses HTTPS, and asks for identities. */
  public boolean isOn() {
    return tls.mode() != TlsMode.OFF;
  }
}
