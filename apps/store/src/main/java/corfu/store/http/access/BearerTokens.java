package corfu.store.http.access;

import corfu.pki.tokens.FollowingVerifier;
import corfu.pki.tokens.TokenCheck;
import corfu.pki.tokens.TokenVerifier;
import corfu.protocol.Identity;
import corfu.world.World;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the tokens of requests (RFC 6750). Thread-safe. */
final class BearerTokens {

  private static final Logger LOG = LoggerFactory.getLogger(BearerTokens.class);
  private static final String SCHEME = "bearer ";

  private final FollowingVerifier verifier;

  /**
   * @throws corfu.pki.PkiException if the keys cannot be used
   */
  BearerTokens(World world, TokenOptions options) {
    this.verifier =
        FollowingVerifier.of(
            options.keys(), options.trustDomain(), options.audience(), world, LOG::warn);
  }

  /**
   * Returns the sender of a request.
   *
   * @param authorization all headers of this name
   */
  Caller caller(List<String> authorization) {
    if (authorization.isEmpty()) {
      return new Caller.Known(Identity.ANONYMOUS);
    }
    String header = authorization.getFirst();
    if (authorization.size() > 1) {
      return new Caller.Unproven("the request has more than one Authorization header");
    }
    if (header.length() > TokenVerifier.MAX_CHARACTERS + SCHEME.length()
        || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return new Caller.Unproven("the Authorization header is not: Bearer TOKEN");
    }
    return switch (verifier.verify(header.substring(SCHEME.length()))) {
      case TokenCheck.Valid valid ->
          new Caller.Known(new Identity(valid.claims().subject().toString()));
      case TokenCheck.Refused(TokenCheck.Reason reason) -> new Caller.Unproven(reason.toString());
    };
  }
}
