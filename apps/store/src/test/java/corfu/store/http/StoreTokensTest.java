package corfu.store.http;

import static corfu.store.http.SecureStore.bearer;
import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.pki.CertificateAuthority;
import corfu.pki.SpiffeId;
import corfu.pki.tokens.TokenIssuer;
import corfu.protocol.Endpoint;
import corfu.protocol.Permission;
import corfu.runtime.QuotaExceededException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens at a store's HTTP server, good and bad ones. */
@Timeout(180)
class StoreTokensTest {

  private static final SpiffeId ALICE = SpiffeId.parse("spiffe://local/client/alice");
  private static final String PATH = "/v1/keys";
  private static final int FUZZED = 400;

  @TempDir private Path directory;
  private SecureStore secure;
  private HttpClient http;

  @BeforeEach
  void start() {
    secure = new SecureStore(directory, StoreServerOptions.onPort(0));
    secure.grant("alice", Permission.READ, "corfu.store/stock");
    http = secure.anonymous();
    eventually(() -> assertThat(status(bearer(secure.token("alice")))).isEqualTo(200));
  }

  @AfterEach
  void stop() {
    secure.close();
  }

  private int status(String... headers) throws Exception {
    return secure.status(http, "GET", PATH, "", headers);
  }

  private void refused(String token, String reason) throws Exception {
    HttpResponse<String> response = secure.send(http, "GET", PATH, "", bearer(token));
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate").orElse(""))
        .contains("error=\"invalid_token\"");
    assertThat(response.body()).contains(reason).doesNotContain(token);
  }

  @Test
  void aTokenEndsAndCannotBeReplayed() throws Exception {
    String token = secure.issuer.issue(ALICE, Duration.ofSeconds(4));
    assertThat(status(bearer(token))).isEqualTo(200);

    eventually(() -> refused(token, "expired"));
  }

  @Test
  void forgedTokensAndThoseOfOthersAreRefused() throws Exception {
    refused(secure.issuer.issue(ALICE, "another", Duration.ofHours(1)), "another cluster");

    Path other = directory.resolve("other");
    var unused =
        CertificateAuthority.create(
            other, SecureStore.DOMAIN, CertificateAuthority.DEFAULT_VALIDITY, secure.world);
    refused(
        TokenIssuer.open(other, secure.world).issue(ALICE, Duration.ofHours(1)),
        "key is not known");

    String[] parts = secure.token("bob").split("\\.", -1);
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
    String forged =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(claims.replace("client/bob", "client/alice").getBytes(UTF_8));
    refused(parts[0] + "." + forged + "." + parts[2], "signature is wrong");
    refused(parts[0] + "." + parts[1] + ".", "malformed");
  }

  @Test
  void onlyOneTokenOfOneSchemeIsAccepted() throws Exception {
    String token = secure.token("alice");

    assertThat(status("Authorization", "bearer " + token)).isEqualTo(200);
    assertThat(status("Authorization", "Basic " + token)).isEqualTo(401);
    assertThat(status("Authorization", token)).isEqualTo(401);
    assertThat(status("Authorization", "Bearer " + token, "Authorization", "Bearer " + token))
        .isEqualTo(401);
    assertThat(secure.status(http, "GET", PATH + "?access_token=" + token, "")).isEqualTo(401);
    assertThat(secure.status(secure.as("alice"), "GET", PATH, "", bearer(token))).isEqualTo(200);
    assertThat(secure.status(secure.as("bob"), "GET", PATH, "", bearer(token))).isEqualTo(401);
  }

  @Test
  void newKeysAreUsedWithoutARestart() throws Exception {
    String old = secure.token("alice");
    var unused = secure.issuer.rotate();

    eventually(() -> assertThat(status(bearer(secure.token("alice")))).isEqualTo(200));
    assertThat(status(bearer(old))).isEqualTo(200);
  }

  @Test
  void noChangedTokenIsAccepted() throws Exception {
    String token = secure.token("alice");
    Random random = new Random(7);
    for (int i = 0; i < FUZZED; i++) {
      String changed = changed(token, random);
      HttpResponse<String> response = secure.send(http, "GET", PATH, "", "Authorization", changed);
      assertThat(response.statusCode()).as(changed).isIn(400, 401);
    }
    assertThat(status(bearer(token))).isEqualTo(200);
  }

  /** Returns a header with a few changed, removed or added characters. */
  private static String changed(String token, Random random) {
    String header = "Bearer " + token;
    StringBuilder text = new StringBuilder(header);
    while (text.toString().strip().equalsIgnoreCase(header)) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        int at = random.nextInt(text.length());
        char other = (char) (' ' + random.nextInt(95));
        switch (random.nextInt(4)) {
          case 0 -> text.setCharAt(at, other);
          case 1 -> text.insert(at, other);
          case 2 -> text.deleteCharAt(at);
          default -> text.setLength(Math.max(1, at));
        }
      }
    }
    return text.toString();
  }

  @Test
  void withoutAReadablePolicyOnlyConfiguredAdministratorsAreServed() throws Exception {
    Path home = Files.createDirectory(directory.resolve("blind"));
    try (var blind = new SecureStore(home, StoreServerOptions.onPort(0), false)) {
      blind.grant("alice", Permission.READ, "corfu.store/stock");
      HttpClient alice = blind.as("alice");

      HttpResponse<String> refused = blind.send(alice, "GET", PATH, "");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(blind.status(blind.as("ann"), "GET", PATH, "")).isEqualTo(200);

      blind.grantObserve("store");
      eventually(() -> assertThat(blind.status(alice, "GET", PATH, "")).isEqualTo(200));
    }
  }

  @Test
  void aQuotaSaysWhenToTryAgain() {
    HttpErrorException over =
        ErrorResponses.of(
            new QuotaExceededException(
                "append",
                Endpoint.parse("10.0.0.1:9000"),
                "100 a second",
                Duration.ofMillis(1200)));

    assertThat(over.status()).isEqualTo(429);
    assertThat(over.headers()).containsEntry("Retry-After", "2");
  }
}
