package corfu.transport.tcp;

import static corfu.transport.tls.TestAuthority.future;
import static corfu.transport.tls.TestAuthority.past;
import static corfu.transport.tls.TestAuthority.replace;
import static corfu.transport.tls.TestAuthority.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import corfu.protocol.Identity;
import corfu.transport.UntrustedCertificateException;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.HostNameCheck;
import corfu.transport.tls.TestAuthority;
import corfu.transport.tls.TestAuthority.Issued;
import corfu.transport.tls.TestAuthority.Wish;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which certificates servers and clients accept of each other, and which errors others get. */
@Timeout(180)
class TlsTrustTest {

  private static final String ORDERS = "spiffe://prod/orders";

  private final TlsServers servers = new TlsServers();
  private final TestAuthority authority = new TestAuthority("prod root");

  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    servers.close();
  }

  private TlsOptions of(String name, Issued own, TlsEngine engine) {
    return write(directory, name, own, authority.certificate()).withEngine(engine);
  }

  private TlsOptions serverOptions(TlsEngine engine) {
    return of("server", authority.issue(Wish.server("server")), engine);
  }

  private void assertThatClientIsRefused(TlsOptions server, TlsOptions client) {
    Throwable refusal = servers.refusalOf(servers.client(servers.serve(server), client));
    assertThat(refusal)
        .isInstanceOf(UntrustedCertificateException.class)
        .hasMessageContaining("does not accept this client's certificate")
        .hasMessageContaining("127.0.0.1");
  }

  private void assertThatServerIsRefused(TcpServer server, TlsOptions client, String reason) {
    assertThat(servers.refusalOf(servers.client(server, client)))
        .isInstanceOf(UntrustedCertificateException.class)
        .hasMessageContaining("this client does not accept its certificate")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void theSpiffeIdOfACertificateIsTheClientsIdentity(TlsEngine engine) {
    TcpServer server = servers.serve(serverOptions(engine));
    Issued own = authority.issue(Wish.named("somebody").spiffe(ORDERS));

    assertThat(servers.identityAt(servers.client(server, of("client", own, engine))))
        .isEqualTo(new Identity(ORDERS));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void otherwiseTheCommonNameIs(TlsEngine engine) {
    TcpServer server = servers.serve(serverOptions(engine));
    Issued own = authority.issue(Wish.named("orders").by("RSA"));

    assertThat(servers.identityAt(servers.client(server, of("client", own, engine))))
        .isEqualTo(new Identity("orders"));
  }

  @ParameterizedTest
  @CsvSource({"JDK,EC", "JDK,RSA", "NATIVE,EC", "NATIVE,RSA"})
  void serversAndClientsHaveKeysOfTheUsualAlgorithms(TlsEngine engine, String algorithm) {
    TcpServer server =
        servers.serve(of("server", authority.issue(Wish.server("server").by(algorithm)), engine));
    Issued own = authority.issue(Wish.named("orders").by(algorithm));

    assertThat(servers.identityAt(servers.client(server, of("client", own, engine))))
        .isEqualTo(new Identity("orders"));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aResumedSessionHasTheSameIdentity(TlsEngine engine) {
    TcpServer server = servers.serve(serverOptions(engine));
    Issued own = authority.issue(Wish.named("somebody").spiffe(ORDERS));
    TlsCredentials credentials = servers.credentials(of("client", own, engine));

    for (int i = 0; i < 5; i++) {
      try (TcpTransport transport = servers.transport(credentials)) {
        assertThat(servers.identityAt(transport.peer(server.endpoint())))
            .isEqualTo(new Identity(ORDERS));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aLoneCallHasTheSameIdentity(TlsEngine engine) {
    TcpServer server = servers.serve(serverOptions(engine));
    Issued own = authority.issue(Wish.named("somebody").spiffe(ORDERS));
    var client = servers.client(server, of("client", own, engine));

    while (servers.origins.stream().map(origin -> origin.name()).distinct().count() < 2) {
      assertThat(servers.identityOfLoneCallAt(client)).isEqualTo(new Identity(ORDERS));
    }
    assertThat(servers.identityOfLoneCallAt(client)).isEqualTo(new Identity(ORDERS));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void anIntermediateAuthorityMayHaveIssuedIt(TlsEngine engine) {
    TcpServer server = servers.serve(serverOptions(engine));
    TestAuthority intermediate = authority.intermediate("team");
    TlsOptions client =
        write(
                directory,
                "client",
                intermediate.issue(Wish.named("orders")),
                List.of(intermediate.certificate()),
                authority.certificate())
            .withEngine(engine);

    assertThat(servers.identityAt(servers.client(server, client)))
        .isEqualTo(new Identity("orders"));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientOfAnotherAuthorityIsRefused(TlsEngine engine) {
    Issued strange = new TestAuthority("prod root").issue(Wish.named("orders"));

    assertThatClientIsRefused(serverOptions(engine), of("client", strange, engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithASelfSignedCertificateIsRefused(TlsEngine engine) {
    Issued own = TestAuthority.selfSigned(Wish.named("orders"));

    assertThatClientIsRefused(serverOptions(engine), of("client", own, engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithAnExpiredCertificateIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.named("orders").valid(past(2), past(1)));
    TcpServer server = servers.serve(serverOptions(engine));
    TlsCredentials credentials =
        servers.closing(
            TlsCredentials.open(
                new ShiftedClock(servers.world, past(1).minusSeconds(60)),
                of("client", own, engine).withHostNames(HostNameCheck.OFF)));

    assertThat(servers.refusalOf(servers.client(server, credentials)))
        .isInstanceOf(UntrustedCertificateException.class)
        .hasMessageContaining("does not accept this client's certificate");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithAnAuthoritysCertificateOfAnotherNameIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.named("spiffe://prod/admin"));

    assertThat(catchThrowable(() -> servers.credentials(of("client", own, engine))))
        .hasMessageContaining("proves no identity");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientOfAnotherTrustDomainIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.named("x").spiffe("spiffe://staging/orders"));

    assertThatClientIsRefused(
        serverOptions(engine).withTrustDomain("prod"), of("client", own, engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithARevokedSerialNumberIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.named("orders"));
    Path revoked =
        replace(
            directory.resolve("revoked"),
            "# lost laptop\n" + own.certificate().getSerialNumber().toString(16) + "\n");

    assertThatClientIsRefused(
        serverOptions(engine).withRevocations(revoked), of("client", own, engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientOnARevocationListIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.named("orders"));
    Path revoked = replace(directory.resolve("crl"), authority.revoking(own.certificate()));

    assertThatClientIsRefused(
        serverOptions(engine).withRevocations(revoked), of("client", own, engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithoutACertificateIsRefused(TlsEngine engine) {
    TlsOptions server = serverOptions(engine);

    assertThatClientIsRefused(
        server, TlsOptions.withoutCertificate(server.authorities().getFirst()).withEngine(engine));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientWithoutACertificateIsAnonymousIfTheServerAllowsIt(TlsEngine engine) {
    TlsOptions options = serverOptions(engine).withClients(ClientCertificates.OPTIONAL);
    TcpServer server = servers.serve(options);
    TlsOptions client =
        TlsOptions.withoutCertificate(options.authorities().getFirst()).withEngine(engine);

    assertThat(servers.identityAt(servers.client(server, client))).isEqualTo(Identity.ANONYMOUS);
    Issued strange = new TestAuthority("other").issue(Wish.named("orders"));
    assertThat(servers.refusalOf(servers.client(server, of("client", strange, engine))))
        .isInstanceOf(UntrustedCertificateException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aServerOfAnotherAuthorityIsRefused(TlsEngine engine) {
    TestAuthority other = new TestAuthority("other");
    TcpServer server =
        servers.serve(
            write(directory, "server", other.issue(Wish.server("server")), authority.certificate())
                .withEngine(engine));

    assertThatServerIsRefused(
        server, of("client", authority.issue(Wish.named("orders")), engine), "CN=other");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aSelfSignedServerIsRefused(TlsEngine engine) {
    TcpServer server =
        servers.serve(of("server", TestAuthority.selfSigned(Wish.server("server")), engine));

    assertThatServerIsRefused(
        server, of("client", authority.issue(Wish.named("orders")), engine), "self-signed");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aServerOnAnotherHostIsRefusedUnlessHostsAreNotChecked(TlsEngine engine) {
    Issued own =
        authority.issue(
            Wish.named("server")
                .with(GeneralName.dNSName, "log.example.org")
                .with(GeneralName.iPAddress, "127.0.0.2"));
    TcpServer server = servers.serve(of("server", own, engine));
    TlsOptions client = of("client", authority.issue(Wish.named("orders")), engine);

    assertThatServerIsRefused(server, client, "is not of the host '127.0.0.1'");
    assertThat(servers.identityAt(servers.client(server, client.withHostNames(HostNameCheck.OFF))))
        .isEqualTo(new Identity("orders"));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void anExpiredServerIsRefused(TlsEngine engine) {
    assertThatServerAtAnotherTimeIsRefused(
        authority.issue(Wish.server("server").valid(past(2), past(1))),
        new ShiftedClock(servers.world, past(1).minusSeconds(60)),
        engine,
        "expired on");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aServerWhoseCertificateIsNotYetValidIsRefused(TlsEngine engine) {
    assertThatServerAtAnotherTimeIsRefused(
        authority.issue(Wish.server("server").valid(future(1), future(3))),
        new ShiftedClock(servers.world, future(2)),
        engine,
        "not valid before");
  }

  private void assertThatServerAtAnotherTimeIsRefused(
      Issued own, ShiftedClock clock, TlsEngine engine, String reason) {
    TlsCredentials credentials =
        servers.closing(TlsCredentials.open(clock, of("server", own, engine)));
    TcpServer server = servers.serve(credentials, TcpServerOptions.DEFAULT, 0);

    assertThatServerIsRefused(
        server, of("client", authority.issue(Wish.named("orders")), engine), reason);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aServerOfAnotherTrustDomainIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.server("server").spiffe("spiffe://staging/node"));
    TcpServer server = servers.serve(of("server", own, engine));
    Issued client = authority.issue(Wish.named("orders"));

    assertThatServerIsRefused(
        server,
        of("client", client, engine).withTrustDomain("prod"),
        "not of the trust domain 'prod'");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aRevokedServerIsRefused(TlsEngine engine) {
    Issued own = authority.issue(Wish.server("server"));
    TcpServer server = servers.serve(of("server", own, engine));
    Path revoked = replace(directory.resolve("crl"), authority.revoking(own.certificate()));

    assertThatServerIsRefused(
        server,
        of("client", authority.issue(Wish.named("orders")), engine).withRevocations(revoked),
        "is revoked");
  }
}
