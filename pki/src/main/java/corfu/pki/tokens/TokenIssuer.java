package corfu.pki.tokens;

import static java.nio.charset.StandardCharsets.US_ASCII;

import corfu.pki.PkiException;
import corfu.pki.SpiffeId;
import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.token.CompactToken;
import corfu.pki.internal.token.TokenKeys;
import corfu.world.World;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Issues tokens by the keys of a certificate authority's directory. A token is a JSON Web Token,
 * signed by ES256. Thread-safe. All methods throw {@link PkiException} if a file cannot be used.
 */
public final class TokenIssuer {

  /** The longest time of a token. */
  public static final Duration MAX_TTL = Duration.ofHours(24);

  static final String ALGORITHM = "ES256";
  static final String SIGNATURE = "SHA256withECDSAinP1363Format";

  private static final int MAX_AUDIENCE = 255;

  private final PkiDirectory directory;
  private final World world;

  private TokenIssuer(PkiDirectory directory, World world) {
    this.directory = directory;
    this.world = world;
  }

  /** Opens the issuer of an authority's directory, see {@link corfu.pki.CertificateAuthority}. */
  public static TokenIssuer open(Path directory, World world) {
    PkiDirectory files = new PkiDirectory(directory, world);
    if (!files.hasAuthority()) {
      throw new PkiException(
          "%s has no authority; create one: corfu cert init --dir %s"
              .formatted(directory, directory));
    }
    return new TokenIssuer(files, world);
  }

  /** Returns the trust domain for which this issues tokens. */
  public String trustDomain() {
    return directory.trustDomain();
  }

  /**
   * Returns a new token for the trust domain's own cluster.
   *
   * @param subject the identity of its bearer, within the trust domain
   * @param ttl its time from now, from one second to {@link #MAX_TTL}
   * @throws IllegalArgumentException if an argument is not as described
   */
  public String issue(SpiffeId subject, Duration ttl) {
    return issue(subject, trustDomain(), ttl);
  }

  /**
   * Returns a new token.
   *
   * @param subject the identity of its bearer, within the trust domain
   * @param audience the cluster or service for which the token is, with 1 to 255 characters
   * @param ttl its time from now, from one second to {@link #MAX_TTL}
   * @throws IllegalArgumentException if an argument is not as described
   */
  public String issue(SpiffeId subject, String audience, Duration ttl) {
    String domain = trustDomain();
    check(subject, domain, audience, ttl);
    Instant now = directory.now();
    TokenKeys.SigningKey key = TokenKeys.signingKey(directory);
    String header =
        CompactToken.encode(
            json -> {
              json.writeStringField("alg", ALGORITHM);
              json.writeStringField("kid", key.id());
              json.writeStringField("typ", "JWT");
            });
    String claims =
        CompactToken.encode(
            json -> {
              json.writeStringField("iss", new SpiffeId(domain, "").toString());
              json.writeStringField("sub", subject.toString());
              json.writeStringField("aud", audience);
              json.writeNumberField("iat", now.getEpochSecond());
              json.writeNumberField("exp", now.plus(ttl).getEpochSecond());
              json.writeStringField("jti", tokenId());
            });
    String signed = header + "." + claims;
    try {
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initSign(key.key());
      signature.update(signed.getBytes(US_ASCII));
      return signed + "." + CompactToken.encode(signature.sign());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void check(SpiffeId subject, String domain, String audience, Duration ttl) {
    if (!subject.trustDomain().equals(domain) || subject.path().isEmpty()) {
      throw new IllegalArgumentException(
          "this authority vouches for ids such as spiffe://%s/client/app, and not for %s"
              .formatted(domain, subject));
    }
    if (audience.isEmpty()
        || audience.length() > MAX_AUDIENCE
        || audience.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the audience of a token has 1 to " + MAX_AUDIENCE + " characters");
    }
    if (ttl.toSeconds() < 1 || ttl.compareTo(MAX_TTL) > 0) {
      throw new IllegalArgumentException(
          "a token is valid for 1 second to 24 hours, but this is for " + ttl);
    }
  }

  private String tokenId() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(world.random().nextLong()) + hex.toHexDigits(world.random().nextLong());
  }

  /**
   * Adds a key, which signs from now on. Tokens by the key before it are still valid; those by
   * older keys are not. Verifiers need the new file of public keys.
   *
   * @return the id of the new key
   */
  public String rotate() {
    return TokenKeys.rotate(directory);
  }
}
