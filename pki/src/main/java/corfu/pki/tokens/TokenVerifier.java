package corfu.pki.tokens;

import corfu.pki.SpiffeId;
import corfu.pki.internal.token.CompactToken;
import corfu.pki.internal.token.TokenKeys;
import corfu.pki.internal.x509.Keys;
import corfu.world.World;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks tokens with the public keys of an authority. A check costs at most 8 KiB of input and one
 * verification of a signature, and nothing of the claims is used before that. Thread-safe; it keeps
 * the keys that the file had, so make another one after the file has changed.
 */
public final class TokenVerifier {

  /** The largest number of characters of a token. */
  public static final int MAX_CHARACTERS = 8_192;

  /** Clocks of other machines may be fast by this. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  /** The latest second that a time of a token may have: far away, and without an overflow. */
  private static final long MAX_SECOND = 1L << 40;

  private static final Set<String> HEADER = Set.of("alg", "kid", "typ");
  private static final Set<String> TEXTS = Set.of("iss", "sub", "aud", "jti");

  private final Map<String, PublicKey> keys;
  private final SpiffeId issuer;
  private final String audience;
  private final World world;

  private TokenVerifier(
      Map<String, PublicKey> keys, SpiffeId issuer, String audience, World world) {
    this.keys = keys;
    this.issuer = issuer;
    this.audience = audience;
    this.world = world;
  }

  /**
   * Reads the keys of a file.
   *
   * @param keysFile the public keys in PEM format, one or two: {@code token-keys.pem}
   * @param trustDomain the trust domain of the authority
   * @param audience the name of this cluster or service, as tokens have it
   * @throws corfu.pki.PkiException if the file cannot be used
   */
  public static TokenVerifier of(Path keysFile, String trustDomain, String audience, World world) {
    Map<String, PublicKey> keys =
        TokenKeys.publicKeys(keysFile).stream()
            .collect(Collectors.toUnmodifiableMap(Keys::shortId, key -> key, (one, same) -> one));
    return new TokenVerifier(keys, new SpiffeId(trustDomain, ""), audience, world);
  }

  /** Checks a token, as it follows the word Bearer of an HTTP request. */
  public TokenCheck verify(String token) {
    if (token.length() > MAX_CHARACTERS) {
      return refused(TokenCheck.Reason.TOO_LARGE);
    }
    return CompactToken.decode(token)
        .map(this::verify)
        .orElse(refused(TokenCheck.Reason.MALFORMED));
  }

  private TokenCheck verify(CompactToken.Parts parts) {
    Optional<CompactToken.Members> header = CompactToken.members(parts.header());
    if (header.isEmpty()) {
      return refused(TokenCheck.Reason.MALFORMED);
    }
    // Any other member could ask for another key or for an extension.
    if (!header.get().names().equals(HEADER)
        || !header.get().text("alg").equals(TokenIssuer.ALGORITHM)
        || !header.get().text("typ").equals("JWT")) {
      return refused(TokenCheck.Reason.WRONG_ALGORITHM);
    }
    PublicKey key = keys.get(header.get().text("kid"));
    if (key == null) {
      return refused(TokenCheck.Reason.UNKNOWN_KEY);
    }
    if (!isSigned(parts, key)) {
      return refused(TokenCheck.Reason.WRONG_SIGNATURE);
    }
    return CompactToken.members(parts.claims())
        .flatMap(TokenVerifier::claims)
        .map(this::check)
        .orElse(refused(TokenCheck.Reason.MALFORMED));
  }

  private static boolean isSigned(CompactToken.Parts parts, PublicKey key) {
    if (CompactToken.hasZero(parts.signature())) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(TokenIssuer.SIGNATURE);
      signature.initVerify(key);
      signature.update(parts.signed());
      return signature.verify(parts.signature());
    } catch (GeneralSecurityException wrong) {
      return false;
    }
  }

  private static Optional<TokenClaims> claims(CompactToken.Members members) {
    long issuedAt = members.numbers().getOrDefault("iat", -1L);
    long expiresAt = members.numbers().getOrDefault("exp", -1L);
    boolean isPlausible =
        issuedAt >= 0 && issuedAt <= MAX_SECOND && expiresAt >= 0 && expiresAt <= MAX_SECOND;
    if (!isPlausible || !members.texts().keySet().containsAll(TEXTS)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TokenClaims(
              SpiffeId.parse(members.text("sub")),
              SpiffeId.parse(members.text("iss")),
              members.text("aud"),
              Instant.ofEpochSecond(issuedAt),
              Instant.ofEpochSecond(expiresAt),
              members.text("jti")));
    } catch (IllegalArgumentException otherNames) {
      return Optional.empty();
    }
  }

  private TokenCheck check(TokenClaims claims) {
    Instant now = Instant.ofEpochMilli(world.wallTimeMillis());
    if (!claims.issuer().equals(issuer)
        || !claims.subject().trustDomain().equals(issuer.trustDomain())
        || claims.subject().path().isEmpty()) {
      return refused(TokenCheck.Reason.WRONG_ISSUER);
    }
    if (!claims.audience().equals(audience)) {
      return refused(TokenCheck.Reason.WRONG_AUDIENCE);
    }
    Duration ttl = Duration.between(claims.issuedAt(), claims.expiresAt());
    if (claims.issuedAt().isAfter(now.plus(CLOCK_SKEW))
        || ttl.compareTo(TokenIssuer.MAX_TTL) > 0
        || ttl.isNegative()) {
      return refused(TokenCheck.Reason.WRONG_TIME);
    }
    return now.isBefore(claims.expiresAt())
        ? new TokenCheck.Valid(claims)
        : refused(TokenCheck.Reason.EXPIRED);
  }

  private static TokenCheck refused(TokenCheck.Reason reason) {
    return new TokenCheck.Refused(reason);
  }
}
