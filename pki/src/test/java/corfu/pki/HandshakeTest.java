package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's TLS 1.3, mutual and with host names, between holders of our certificates. */
class HandshakeTest {

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();
  private CertificateAuthority authority;

  @BeforeEach
  void create() {
    // The JDK checks times by the machine's clock.
    world.pass(Duration.between(world.now(), java.time.Instant.now()));
    authority =
        CertificateAuthority.create(temporary.resolve("pki"), "prod", Duration.ofDays(400), world);
  }

  private static SSLEngine engine(Path own, Path caFile, boolean isClient, String host)
      throws Exception {
    var keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(Peers.keyStore(own), new char[0]);
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(Peers.trustStore(caFile));
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLEngine engine = context.createSSLEngine(host, 9000);
    engine.setUseClientMode(isClient);
    SSLParameters parameters = engine.getSSLParameters();
    if (isClient) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    } else {
      parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Carries bytes between two engines in memory until both are done. */
  private static void handshake(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 17);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 17);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < 100; i++) {
      step(client, toServer, toClient);
      step(server, toClient, toServer);
    }
  }

  private static void step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), out);
    } else {
      in.flip();
      engine.unwrap(in, ByteBuffer.allocate(1 << 17));
      in.compact();
    }
  }

  @Test
  void aServerAndAClientProveTheirIdsToEachOther() throws Exception {
    SSLEngine client =
        engine(authority.issueClient("app").file(), authority.caFile(), true, "n1.example.org");
    SSLEngine server =
        engine(
            authority.issueServer("n1", List.of("n1.example.org", "127.0.0.1")).file(),
            authority.caFile(),
            false,
            "app");
    handshake(client, server);

    assertThat(client.getSession().getProtocol()).isEqualTo("TLSv1.3");
    assertThat(idOf(client)).isEqualTo("spiffe://prod/server/n1");
    assertThat(idOf(server)).isEqualTo("spiffe://prod/client/app");
  }

  private static String idOf(SSLEngine engine) throws Exception {
    var peer = (X509Certificate) engine.getSession().getPeerCertificates()[0];
    return CertificateInfo.of(peer).id().orElseThrow().toString();
  }

  @Test
  void aServerWithAnotherHostNameIsRefused() throws Exception {
    SSLEngine client =
        engine(authority.issueClient("app").file(), authority.caFile(), true, "n2.example.org");
    SSLEngine server =
        engine(
            authority.issueServer("n1", List.of("n1.example.org")).file(),
            authority.caFile(),
            false,
            "app");

    assertThatExceptionOfType(SSLHandshakeException.class)
        .isThrownBy(() -> handshake(client, server))
        .withMessageContaining("n2.example.org");
  }

  @Test
  void aClientsCertificateIsNoServers() throws Exception {
    SSLEngine client = engine(authority.issueClient("app").file(), authority.caFile(), true, "n1");
    SSLEngine server = engine(authority.issueClient("n1").file(), authority.caFile(), false, "app");

    assertThatExceptionOfType(SSLException.class).isThrownBy(() -> handshake(client, server));
  }

  @Test
  void aClientOfAnotherAuthorityIsRefused() throws Exception {
    CertificateAuthority other =
        CertificateAuthority.create(
            temporary.resolve("other"), "prod", Duration.ofDays(400), world);
    SSLEngine client =
        engine(other.issueClient("app").file(), authority.caFile(), true, "localhost");
    SSLEngine server =
        engine(
            authority.issueServer("n1", List.of("localhost")).file(),
            authority.caFile(),
            false,
            "app");

    assertThatExceptionOfType(SSLException.class).isThrownBy(() -> handshake(client, server));
  }
}
