package corfu.transport.tcp;

import static corfu.transport.tls.TestAuthority.write;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Identity;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.tls.TestAuthority;
import corfu.transport.tls.TestAuthority.Wish;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers and clients of different modes: a cluster moves to TLS while it works. */
@Timeout(180)
class TlsModesTest {

  private static final Identity ORDERS = new Identity("orders");

  private final TlsServers servers = new TlsServers();
  private final TestAuthority authority = new TestAuthority("root");

  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    servers.close();
  }

  private TlsOptions server(TlsMode mode, TlsEngine engine) {
    return write(
            directory, "server", authority.issue(Wish.server("server")), authority.certificate())
        .withMode(mode)
        .withEngine(engine);
  }

  private TlsOptions client(TlsMode mode, TlsEngine engine) {
    return write(
            directory, "client", authority.issue(Wish.named("orders")), authority.certificate())
        .withMode(mode)
        .withEngine(engine);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void anOptionalServerServesClientsOfAllModes(TlsEngine engine) {
    TcpServer server = servers.serve(server(TlsMode.OPTIONAL, engine));

    assertThat(servers.identityAt(servers.client(server, TlsOptions.OFF)))
        .isEqualTo(Identity.ANONYMOUS);
    assertThat(servers.identityAt(servers.client(server, client(TlsMode.OPTIONAL, engine))))
        .isEqualTo(ORDERS);
    assertThat(servers.identityAt(servers.client(server, client(TlsMode.REQUIRED, engine))))
        .isEqualTo(ORDERS);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void anOptionalClientUsesServersOfAllModes(TlsEngine engine) {
    TlsCredentials client = servers.credentials(client(TlsMode.OPTIONAL, engine));

    assertThat(servers.identityAt(servers.client(servers.serve(TlsOptions.OFF), client)))
        .isEqualTo(Identity.ANONYMOUS);
    for (TlsMode mode : new TlsMode[] {TlsMode.OPTIONAL, TlsMode.REQUIRED}) {
      assertThat(servers.identityAt(servers.client(servers.serve(server(mode, engine)), client)))
          .isEqualTo(ORDERS);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void anOptionalClientUsesTlsAsSoonAsTheServerHasIt(TlsEngine engine) {
    TcpServer plain = servers.serve(TlsOptions.OFF);
    Peer peer = servers.client(plain, client(TlsMode.OPTIONAL, engine));
    for (int i = 0; i < 50; i++) { // its lone connection is plain, too
      assertThat(servers.identityOfLoneCallAt(peer)).isEqualTo(Identity.ANONYMOUS);
    }
    plain.close();
    servers.serve(
        servers.credentials(server(TlsMode.REQUIRED, engine)),
        TcpServerOptions.DEFAULT,
        plain.endpoint().port());

    Identity identity = Identity.ANONYMOUS;
    while (!identity.equals(ORDERS)) {
      try {
        identity = servers.identityOfLoneCallAt(peer);
      } catch (TransportException e) {
        assertThat(e.outcomeUnknown() || e instanceof UnreachableException).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aClientThatRequiresTlsNeverSpeaksWithoutIt(TlsEngine engine) {
    TcpServer server = servers.serve(TlsOptions.OFF);

    assertThat(servers.refusalOf(servers.client(server, client(TlsMode.REQUIRED, engine))))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining(server.endpoint().toString())
        .hasMessageContaining("does not speak TLS, which this client requires");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aPlainClientLearnsThatTheServerRequiresTls(TlsEngine engine) {
    TcpServer server = servers.serve(server(TlsMode.REQUIRED, engine));

    assertThat(servers.refusalOf(servers.client(server, TlsOptions.OFF)))
        .isInstanceOf(RequestRefusedException.class)
        .hasMessageContaining("this server requires TLS");
  }

  @Test
  void aPlainConnectionNeverBeginsLikeOneOfTls() {
    for (int newest = 1; newest < 100; newest++) {
      byte[] known =
          RawClient.bytes(new Hello(1, newest, Optional.of(new ClusterId(new UUID(-1, -1)))), 1);
      byte[] unknown = RawClient.bytes(new Hello(1, newest, Optional.empty()), 1);
      assertThat(known[0]).isNotEqualTo((byte) 0x16);
      assertThat(unknown[0]).isNotEqualTo((byte) 0x16);
    }
  }
}
