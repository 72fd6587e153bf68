package corfu.pki.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.CertificateAuthority;
import corfu.pki.FixedWorld;
import corfu.pki.PkiException;
import corfu.pki.SpiffeId;
import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.token.TokenKeys;
import corfu.pki.tokens.TokenCheck.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Signature;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that are accepted, and all others. */
class TokensTest {

  private static final SpiffeId APP = SpiffeId.parse("spiffe://prod/client/app");
  private static final Duration TTL = Duration.ofMinutes(15);

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();
  private Path directory;
  private TokenIssuer issuer;

  @BeforeEach
  void create() {
    directory = temporary.resolve("pki");
    var unused = CertificateAuthority.create(directory, "prod", Duration.ofDays(400), world);
    issuer = TokenIssuer.open(directory, world);
  }

  private TokenVerifier verifier() {
    return TokenVerifier.of(directory.resolve("token-keys.pem"), "prod", "prod", world);
  }

  private void assertRefused(String token, Reason reason) {
    assertThat(verifier().verify(token)).isEqualTo(new TokenCheck.Refused(reason));
  }

  private static String part(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  private String keyId() {
    return TokenKeys.signingKey(new PkiDirectory(directory, world)).id();
  }

  /** Returns a token that the authority's key has signed, whatever it says. */
  private String signed(String header, String claims) throws Exception {
    String text = part(header) + "." + part(claims);
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(TokenKeys.signingKey(new PkiDirectory(directory, world)).key());
    signature.update(text.getBytes(UTF_8));
    return text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
  }

  private String header() {
    return "{\"alg\":\"ES256\",\"kid\":\"" + keyId() + "\",\"typ\":\"JWT\"}";
  }

  private String claims(String subject, String issuedBy, String audience, long iat, long exp) {
    return """
    {"iss":"%s","sub":"%s","aud":"%s","iat":%d,"exp":%d,"jti":"1"}\
    """
        .formatted(issuedBy, subject, audience, iat, exp);
  }

  private long now() {
    return world.now().getEpochSecond();
  }

  @Test
  void aTokenProvesItsSubject() {
    String token = issuer.issue(APP, TTL);

    assertThat(token).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}");
    assertThat(verifier().verify(token))
        .isInstanceOfSatisfying(
            TokenCheck.Valid.class,
            valid -> {
              assertThat(valid.claims().subject()).isEqualTo(APP);
              assertThat(valid.claims().issuer()).hasToString("spiffe://prod");
              assertThat(valid.claims().audience()).isEqualTo("prod");
              assertThat(valid.claims().expiresAt()).isEqualTo(world.now().plus(TTL));
              assertThat(valid.claims().tokenId()).hasSize(32);
            });
  }

  @Test
  void aTokenExpires() {
    String token = issuer.issue(APP, TTL);
    world.pass(TTL.minusSeconds(1));
    assertThat(verifier().verify(token)).isInstanceOf(TokenCheck.Valid.class);
    world.pass(Duration.ofSeconds(1));
    assertRefused(token, Reason.EXPIRED);
  }

  @Test
  void aTokenIsForOneAudienceAndOneDomain() {
    assertRefused(issuer.issue(APP, "staging", TTL), Reason.WRONG_AUDIENCE);
    Path keys = directory.resolve("token-keys.pem");
    assertThat(TokenVerifier.of(keys, "other", "prod", world).verify(issuer.issue(APP, TTL)))
        .isEqualTo(new TokenCheck.Refused(Reason.WRONG_ISSUER));
  }

  @Test
  void aKeyIsValidUntilTheSecondRotation() {
    String first = issuer.issue(APP, TTL);
    issuer.rotate();
    String second = issuer.issue(APP, TTL);
    assertThat(verifier().verify(first)).isInstanceOf(TokenCheck.Valid.class);
    assertThat(verifier().verify(second)).isInstanceOf(TokenCheck.Valid.class);

    issuer.rotate();
    assertRefused(first, Reason.UNKNOWN_KEY);
    assertThat(verifier().verify(second)).isInstanceOf(TokenCheck.Valid.class);
    assertThat(directory.resolve("token-keys").toFile().list()).hasSize(1);
  }

  @Test
  void theKeyIsSecret() throws Exception {
    Path key = directory.resolve("token-keys").resolve(keyId() + ".pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(directory.resolve("token-keys.pem"))).doesNotContain("PRIVATE");

    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> issuer.issue(APP, TTL))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  void tokensNeedNoKeyOfTheAuthority() throws Exception {
    Path other = Files.createDirectory(temporary.resolve("other"));
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
    Files.copy(directory.resolve("ca.pem"), other.resolve("ca.pem"));
    Files.copy(directory.resolve("token-keys.pem"), other.resolve("token-keys.pem"));
    Files.move(directory.resolve("token-keys"), other.resolve("token-keys"));
    TokenIssuer elsewhere = TokenIssuer.open(other, world);

    assertThat(verifier().verify(elsewhere.issue(APP, TTL))).isInstanceOf(TokenCheck.Valid.class);
    elsewhere.rotate();
    assertThat(
            TokenVerifier.of(other.resolve("token-keys.pem"), "prod", "prod", world)
                .verify(elsewhere.issue(APP, TTL)))
        .isInstanceOf(TokenCheck.Valid.class);
  }

  @ParameterizedTest
  @CsvSource({"spiffe://other/client/app, PT15M", "spiffe://prod, PT15M"})
  void aForeignIdGetsNoToken(String id, Duration ttl) {
    assertThatThrownBy(() -> issuer.issue(SpiffeId.parse(id), ttl))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.5S", "PT24H0.001S", "P30D"})
  void aTokenLivesForADayAtMost(Duration ttl) {
    assertThatThrownBy(() -> issuer.issue(APP, ttl)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTokenWithoutSignatureIsRefused() {
    String claims = part(claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60));

    assertRefused(part("{\"alg\":\"none\"}") + "." + claims + ".", Reason.MALFORMED);
    assertRefused(
        part("{\"alg\":\"none\"}") + "." + claims + "." + "A".repeat(86), Reason.WRONG_ALGORITHM);
    assertRefused(part(header()) + "." + claims, Reason.MALFORMED);
  }

  @Test
  void aSignatureOfZerosIsRefused() {
    String claims = part(claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60));

    assertRefused(part(header()) + "." + claims + "." + "A".repeat(86), Reason.WRONG_SIGNATURE);
  }

  @Test
  void thePublicKeyIsNoSecretOfAnotherAlgorithm() throws Exception {
    String text =
        part(header().replace("ES256", "HS256"))
            + "."
            + part(claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60));
    Mac mac = Mac.getInstance("HmacSHA512");
    mac.init(
        new SecretKeySpec(Files.readAllBytes(directory.resolve("token-keys.pem")), "HmacSHA512"));
    String forged =
        text
            + "."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(mac.doFinal(text.getBytes(UTF_8)));

    assertRefused(forged, Reason.WRONG_ALGORITHM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"alg\":\"ES256\",\"kid\":\"KID\"}",
        "{\"alg\":\"ES256\",\"kid\":\"KID\",\"typ\":\"JOSE\"}",
        "{\"alg\":\"ES384\",\"kid\":\"KID\",\"typ\":\"JWT\"}",
        "{\"alg\":\"es256\",\"kid\":\"KID\",\"typ\":\"JWT\"}",
        "{\"alg\":[\"ES256\"],\"kid\":\"KID\",\"typ\":\"JWT\"}",
        "{\"alg\":\"ES256\",\"kid\":\"KID\",\"typ\":\"JWT\",\"crit\":[\"exp\"]}",
        "{\"alg\":\"ES256\",\"kid\":\"KID\",\"typ\":\"JWT\",\"jku\":\"http://a\"}",
        "{\"alg\":\"ES256\",\"kid\":\"KID\",\"typ\":\"JWT\",\"jwk\":{}}",
        "{\"alg\":\"ES256\",\"kid\":\"KID\",\"typ\":\"JWT\",\"x5c\":null}"
      })
  void aHeaderHasThreeMembersOnly(String header) throws Exception {
    String right = claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60);

    assertRefused(signed(header.replace("KID", keyId()), right), Reason.WRONG_ALGORITHM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "1",
        "null",
        "{",
        "{}{}",
        "{\"alg\":\"ES256\",\"alg\":\"ES256\"}",
        "{'alg':1}",
        "{\"alg\":\"ES256\",}",
        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}",
        "{\"a\":123456789012345678901234567890}"
      })
  void aHeaderIsOneStrictObject(String header) throws Exception {
    assertRefused(
        signed(header, claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60)),
        Reason.MALFORMED);
  }

  @Test
  void signedClaimsAreCheckedAllTheSame() throws Exception {
    String app = APP.toString();
    String domain = "spiffe://prod";
    long now = now();
    assertThat(verifier().verify(signed(header(), claims(app, domain, "prod", now, now + 60))))
        .isInstanceOf(TokenCheck.Valid.class);

    assertRefused(
        signed(header(), claims("spiffe://b/x", domain, "prod", now, now + 60)),
        Reason.WRONG_ISSUER);
    assertRefused(
        signed(header(), claims(domain, domain, "prod", now, now + 60)), Reason.WRONG_ISSUER);
    assertRefused(
        signed(header(), claims(app, "spiffe://prod/a", "prod", now, now + 60)),
        Reason.WRONG_ISSUER);
    assertRefused(signed(header(), claims("app", domain, "prod", now, now + 60)), Reason.MALFORMED);
    assertRefused(
        signed(header(), claims(app, domain, "prod", now + 31, now + 60)), Reason.WRONG_TIME);
    assertRefused(
        signed(header(), claims(app, domain, "prod", now, now + 86_401)), Reason.WRONG_TIME);
    assertRefused(signed(header(), claims(app, domain, "prod", now, now - 1)), Reason.WRONG_TIME);
    assertRefused(
        signed(header(), claims(app, domain, "prod", 0, Long.MAX_VALUE)), Reason.MALFORMED);
    assertRefused(signed(header(), claims(app, domain, "prod", -1, now)), Reason.MALFORMED);
    assertRefused(signed(header(), "{\"sub\":\"" + app + "\"}"), Reason.MALFORMED);
    assertRefused(
        signed(
            header(),
            claims(app, domain, "prod", now, now + 60).replace("\"prod\"", "[\"prod\",\"b\"]")),
        Reason.MALFORMED);
  }

  @Test
  void unknownClaimsAreIgnored() throws Exception {
    String claims =
        claims(APP.toString(), "spiffe://prod", "prod", now(), now() + 60)
            .replace("\"jti\"", "\"groups\":[\"a\"],\"x\":true,\"y\":null,\"z\":1.5,\"jti\"");

    assertThat(verifier().verify(signed(header(), claims))).isInstanceOf(TokenCheck.Valid.class);
  }

  @Test
  void noAlteredOrCutTokenIsAccepted() {
    String token = issuer.issue(APP, TTL);
    TokenVerifier verifier = verifier();
    for (int at = 0; at < token.length(); at++) {
      for (char other : new char[] {'A', '_', '.', '=', ' ', '\0', 'é'}) {
        if (token.charAt(at) != other) {
          String altered = token.substring(0, at) + other + token.substring(at + 1);
          assertThat(verifier.verify(altered)).as(altered).isInstanceOf(TokenCheck.Refused.class);
        }
      }
      assertThat(verifier.verify(token.substring(0, at))).isInstanceOf(TokenCheck.Refused.class);
    }
    for (String longer : new String[] {token + "A", token + "=", token + ".", " " + token}) {
      assertThat(verifier.verify(longer)).isInstanceOf(TokenCheck.Refused.class);
    }
  }

  @Test
  void aTokenHasABound() {
    assertRefused("a".repeat(TokenVerifier.MAX_CHARACTERS + 1), Reason.TOO_LARGE);
    assertRefused("a".repeat(TokenVerifier.MAX_CHARACTERS), Reason.MALFORMED);
    assertRefused(".".repeat(TokenVerifier.MAX_CHARACTERS), Reason.MALFORMED);
  }

  @Test
  void randomTextIsRefused() {
    Random random = new Random(7);
    TokenVerifier verifier = verifier();
    String alphabet = "ABCabc019-_.={}\":,\u00e9\0";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(120); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(verifier.verify(text.toString())).isInstanceOf(TokenCheck.Refused.class);
      String header = part(text.toString()) + ".e30." + "B".repeat(86);
      assertThat(verifier.verify(header)).isInstanceOf(TokenCheck.Refused.class);
    }
  }

  @Test
  void theFileOfKeysHasOneOrTwo() throws Exception {
    Path keys = directory.resolve("token-keys.pem");
    String one = Files.readString(keys);
    for (String text : new String[] {"", one + one + one, one.replace("PUBLIC", "PRIVATE")}) {
      Path wrong = Files.writeString(temporary.resolve("wrong.pem"), text);
      assertThatThrownBy(() -> TokenVerifier.of(wrong, "prod", "prod", world))
          .isInstanceOf(PkiException.class)
          .hasMessageContaining("wrong.pem");
    }
  }
}
