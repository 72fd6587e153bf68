package corfu.store.http;

import static corfu.store.http.SecureStore.bearer;
import static corfu.store.http.SecureStore.grantOf;
import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.CertificateAuthority;
import corfu.protocol.Permission;
import corfu.store.client.StoreClient;
import corfu.store.client.StoreClientException;
import corfu.store.client.StoreClientOptions;
import corfu.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants of one store, with certificates or tokens. */
@Timeout(180)
class StoreSecurityTest {

  private static final String NAME = "corfu.store/stock";
  private static final String KEY = "/v1/keys/pens";

  @TempDir private Path directory;
  private SecureStore secure;

  @BeforeEach
  void start() {
    secure =
        new SecureStore(
            directory, StoreServerOptions.onPort(0).withMinRate(100, Duration.ofSeconds(2)));
    secure.grant("alice", Permission.READ, NAME);
    secure.grant("alice", Permission.APPEND, NAME);
    secure.grant("bob", Permission.READ, "corfu.store/st*");
    secure.enforce();
  }

  @AfterEach
  void stop() {
    secure.close();
  }

  @Test
  void certificatesAndTokensDecideWhoReadsAndWrites() throws Exception {
    HttpClient alice = secure.as("alice");
    HttpClient nobody = secure.anonymous();
    String[] bob = bearer(secure.token("bob"));

    eventually(() -> assertThat(secure.status(alice, "PUT", KEY, "10")).isEqualTo(200));
    assertThat(secure.send(nobody, "GET", KEY, "", bob).body()).contains("\"value\":\"10\"");
    assertThat(secure.status(secure.as("bob"), "GET", "/v1/keys", "")).isEqualTo(200);

    HttpResponse<String> refused = secure.send(nobody, "PUT", KEY, "11", bob);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .contains("\"code\":\"denied\"")
        .contains("corfu access grant spiffe://local/client/bob append corfu.store/stock");
    for (String path : new String[] {"/v1/checkpoint", "/v1/compact"}) {
      assertThat(secure.send(alice, "POST", path, "").body()).contains("permission operate");
      assertThat(secure.status(secure.as("ann"), "POST", path, "")).isEqualTo(200);
    }
    assertThat(secure.status(nobody, "POST", "/v1/rollback", "{\"to\":0}", bob)).isEqualTo(403);
    assertThat(secure.send(alice, "GET", KEY, "").body()).contains("\"value\":\"10\"");
  }

  @Test
  void aRequestWithoutAnIdentityIsRefusedBeforeItsBodyIsRead() throws Exception {
    HttpClient nobody = secure.anonymous();

    HttpResponse<String> refused = secure.send(nobody, "PUT", KEY, "x".repeat(100_000));

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"corfu\"");
    assertThat(secure.status(nobody, "GET", "/metrics", "")).isEqualTo(401);
    assertThat(secure.send(nobody, "GET", "/health", "").body().strip())
        .isEqualTo("{\"status\":\"ok\"}");
  }

  @Test
  void whoMayOnlyWriteLearnsNothing() throws Exception {
    secure.control.revoke(grantOf("alice", Permission.READ, NAME));
    HttpClient alice = secure.as("alice");

    eventually(() -> assertThat(secure.status(alice, "GET", KEY, "")).isEqualTo(403));
    assertThat(secure.status(alice, "PUT", KEY, "10")).isEqualTo(200);
    assertThat(secure.status(alice, "PUT", KEY, "10", "If-Match", "\"0\"")).isEqualTo(403);
    assertThat(secure.status(alice, "PUT", KEY, "10", "If-None-Match", "*")).isEqualTo(403);
    String conditional = "{\"put\":{\"pens\":\"1\"},\"expect\":{\"pens\":0}}";
    assertThat(secure.status(alice, "POST", "/v1/write", conditional)).isEqualTo(403);
    assertThat(secure.status(alice, "POST", "/v1/rollback", "{\"to\":0}")).isEqualTo(403);
  }

  @Test
  void aRevokedPermissionEndsWithinASecond() throws Exception {
    HttpClient alice = secure.as("alice");
    eventually(() -> assertThat(secure.status(alice, "PUT", KEY, "10")).isEqualTo(200));

    secure.control.revoke(grantOf("alice", Permission.READ, NAME));
    long revoked = secure.world.nanoTime();
    long lastServed = revoked;
    for (int status = 200; status == 200; ) {
      long began = secure.world.nanoTime();
      status = secure.status(alice, "GET", KEY, "");
      lastServed = status == 200 ? began : lastServed;
    }

    assertThat(Duration.ofNanos(lastServed - revoked)).isLessThan(Duration.ofMillis(1_001));
  }

  @Test
  void theClientUsesCertificatesAndTokens() {
    Path own = secure.certificate("alice");
    var mutual = secure.credentials(TlsOptions.mutual(own, own, secure.authority.caFile()));
    var oneWay = secure.credentials(TlsOptions.withoutCertificate(secure.authority.caFile()));
    StoreClientOptions token =
        StoreClientOptions.DEFAULT.withTls(oneWay).withToken(() -> secure.token("bob"));
    try (var alice =
            StoreClient.connect(secure.uri("/"), StoreClientOptions.DEFAULT.withTls(mutual));
        var bob = StoreClient.connect(secure.uri("/"), token);
        var plain = StoreClient.connect(URI.create("http://127.0.0.1:1"), token)) {
      eventually(() -> assertThat(alice.put("pens", "10".getBytes(UTF_8))).isNotNegative());
      assertThat(bob.get("pens").orElseThrow().text()).isEqualTo("10");
      assertThatThrownBy(() -> bob.remove("pens"))
          .isInstanceOf(StoreClientException.class)
          .hasMessageContaining("append");
      assertThatThrownBy(() -> plain.get("pens")).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void certificatesAreRenewedAndRevokedWithoutARestart() throws Exception {
    HttpClient alice = secure.as("alice");
    eventually(() -> assertThat(secure.status(alice, "GET", "/v1/keys", "")).isEqualTo(200));
    String before = serial(alice);

    secure.authority.renew("store");
    eventually(() -> assertThat(serial(secure.as("alice"))).isNotEqualTo(before));
    assertThat(secure.status(alice, "GET", "/v1/keys", "")).isEqualTo(200);

    var unused = secure.authority.revoke("alice");
    // Also on its open connection.
    eventually(() -> assertThat(secure.status(alice, "GET", "/v1/keys", "")).isEqualTo(401));
  }

  private String serial(HttpClient http) throws Exception {
    SSLSession session = secure.send(http, "GET", "/health", "").sslSession().orElseThrow();
    return ((X509Certificate) session.getPeerCertificates()[0]).getSerialNumber().toString(16);
  }

  @Test
  void aCertificateOfAnotherAuthorityOpensNoConnection() {
    Path other = directory.resolve("other");
    var authority =
        CertificateAuthority.create(
            other, SecureStore.DOMAIN, CertificateAuthority.DEFAULT_VALIDITY, secure.world);
    Path own = authority.issueAdministrator("ann").file();
    HttpClient stranger = secure.client(TlsOptions.mutual(own, own, secure.authority.caFile()));

    assertThatThrownBy(() -> secure.send(stranger, "GET", "/v1/keys", ""))
        .isInstanceOf(IOException.class);
  }

  @Test
  void slowAndWrongHandshakesEndWhileOthersAreServed() throws Exception {
    HttpClient alice = secure.as("alice");
    int port = secure.server.address().getPort();
    try (Socket slow = new Socket("127.0.0.1", port);
        Socket plain = new Socket("127.0.0.1", port)) {
      slow.getOutputStream().write(new byte[] {22, 3, 1, 2});
      plain.getOutputStream().write("GET /v1/keys HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      eventually(() -> assertThat(secure.status(alice, "GET", "/v1/keys", "")).isEqualTo(200));

      assertThat(new String(plain.getInputStream().readAllBytes(), UTF_8)).doesNotContain("HTTP");
      assertThat(slow.getInputStream().readAllBytes()).hasSizeLessThan(100);
    }
  }

  @Test
  void metricsShowWhenCertificatesEnd() throws Exception {
    secure.grantObserve("bob");
    HttpClient bob = secure.as("bob");

    eventually(() -> assertThat(secure.status(bob, "GET", "/metrics", "")).isEqualTo(200));

    assertThat(secure.send(bob, "GET", "/metrics", "").body())
        .containsPattern(
            "corfu_certificate_expiry_seconds\\{of=\"https\",server=\"\"} 777\\d{4}\\.0")
        .contains("of=\"https-authorities\"");
  }
}
