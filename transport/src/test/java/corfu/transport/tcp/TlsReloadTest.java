package corfu.transport.tcp;

import static corfu.transport.tls.TestAuthority.pem;
import static corfu.transport.tls.TestAuthority.replace;
import static corfu.transport.tls.TestAuthority.write;
import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Identity;
import corfu.transport.Peer;
import corfu.transport.TransportException;
import corfu.transport.UntrustedCertificateException;
import corfu.transport.tls.TestAuthority;
import corfu.transport.tls.TestAuthority.Issued;
import corfu.transport.tls.TestAuthority.Wish;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificates and authorities are replaced while servers and clients work. */
@Timeout(180)
class TlsReloadTest {

  private final TlsServers servers = new TlsServers();
  private final TestAuthority old = new TestAuthority("old root");
  private final TestAuthority fresh = new TestAuthority("new root");

  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    servers.close();
  }

  private TlsOptions server(TestAuthority authority) {
    return write(
        directory, "server", authority.issue(Wish.server("server")), authority.certificate());
  }

  private TlsOptions client(TestAuthority authority) {
    return write(
        directory, "client", authority.issue(Wish.named("orders")), authority.certificate());
  }

  private static void awaitLoad(TlsCredentials credentials, long loads) {
    eventually(() -> assertThat(credentials.status().loads()).isGreaterThanOrEqualTo(loads));
    assertThat(credentials.status().problem()).isEmpty();
  }

  /** Calls a server without a pause until it is closed; each call on a new or an old connection. */
  private final class Traffic implements AutoCloseable {
    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicLong calls = new AtomicLong();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Void>> threads;

    Traffic(TcpServer server, TlsCredentials credentials) {
      Peer lasting = servers.client(server, credentials);
      threads =
          List.of(
              start("lasting", () -> servers.identityAt(lasting)),
              start(
                  "new",
                  () -> {
                    try (TcpTransport one = servers.newTransport(credentials)) {
                      servers.identityAt(one.peer(server.endpoint()));
                    }
                  }));
    }

    private CompletableFuture<Void> start(String name, Runnable call) {
      CompletableFuture<Void> ended = new CompletableFuture<>();
      servers.world.start(
          name,
          () -> {
            repeat(call);
            ended.complete(null);
          });
      return ended;
    }

    private void repeat(Runnable call) {
      while (!ends.get()) {
        try {
          call.run();
          calls.incrementAndGet();
        } catch (TransportException | AssertionError e) {
          failures.add(e);
        }
      }
    }

    void awaitMoreCalls() {
      long before = calls.get();
      eventually(() -> assertThat(calls.get()).isGreaterThan(before + 200));
    }

    @Override
    public void close() {
      ends.set(true);
      CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
      assertThat(failures).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void certificatesAndThenTheAuthorityAreReplacedUnderTraffic(TlsEngine engine) {
    TlsOptions serverOptions = server(old).withEngine(engine);
    TlsOptions clientOptions = client(old).withEngine(engine);
    TlsCredentials ofServer = servers.credentials(serverOptions);
    TlsCredentials ofClient = servers.credentials(clientOptions);
    TcpServer server = servers.serve(ofServer, TcpServerOptions.DEFAULT, 0);
    String firstFingerprint = ofServer.status().fingerprint().orElseThrow();
    String both = pem(old.certificate(), fresh.certificate());

    try (Traffic traffic = new Traffic(server, ofClient)) {
      traffic.awaitMoreCalls();
      replace(serverOptions.authorities().getFirst(), both);
      replace(clientOptions.authorities().getFirst(), both);
      awaitLoad(ofServer, 2);
      awaitLoad(ofClient, 2);
      traffic.awaitMoreCalls();

      write(
          directory,
          "server",
          fresh.issue(Wish.server("server")),
          old.certificate(),
          fresh.certificate());
      awaitLoad(ofServer, 3);
      write(
          directory,
          "client",
          fresh.issue(Wish.named("orders")),
          old.certificate(),
          fresh.certificate());
      awaitLoad(ofClient, 3);
      traffic.awaitMoreCalls();

      replace(serverOptions.authorities().getFirst(), pem(fresh.certificate()));
      replace(clientOptions.authorities().getFirst(), pem(fresh.certificate()));
      awaitLoad(ofServer, 4);
      awaitLoad(ofClient, 4);
      traffic.awaitMoreCalls();
    }

    assertThat(ofServer.status().fingerprint()).isNotEmpty().get().isNotEqualTo(firstFingerprint);
    TlsOptions left =
        write(
                directory,
                "left",
                old.issue(Wish.named("left")),
                old.certificate(),
                fresh.certificate())
            .withEngine(engine);
    assertThat(servers.refusalOf(servers.client(server, left)))
        .isInstanceOf(UntrustedCertificateException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void aWrongFileIsNotUsedUntilItIsMended(TlsEngine engine) {
    TlsOptions options = server(old).withEngine(engine);
    TlsCredentials ofServer = servers.credentials(options);
    TlsCredentials ofClient = servers.credentials(client(old).withEngine(engine));
    TcpServer server = servers.serve(ofServer, TcpServerOptions.DEFAULT, 0);
    Issued next = old.issue(Wish.server("server"));

    try (Traffic traffic = new Traffic(server, ofClient)) {
      replace(options.certificate().orElseThrow(), pem(next.certificate())); // not yet its key
      eventually(
          () ->
              assertThat(ofServer.status().problem())
                  .get()
                  .asString()
                  .contains("the private key in", "server.key", "server.crt"));
      traffic.awaitMoreCalls();
      TestAuthority.writeKey(options.key().orElseThrow(), next.key());
      awaitLoad(ofServer, 2);
      traffic.awaitMoreCalls();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "NATIVE"})
  void theConnectionsOfARevokedCertificateAreClosedAndNoOthers(TlsEngine engine) {
    Path revoked = replace(directory.resolve("revoked"), "# none\n");
    TlsCredentials ofServer =
        servers.credentials(server(old).withEngine(engine).withRevocations(revoked));
    TcpServer server = servers.serve(ofServer, TcpServerOptions.DEFAULT, 0);
    Issued lost = old.issue(Wish.named("lost"));
    Peer lostClient =
        servers.client(
            server, write(directory, "lost", lost, old.certificate()).withEngine(engine));
    Peer other = servers.client(server, client(old).withEngine(engine));
    assertThat(servers.identityAt(lostClient)).isEqualTo(new Identity("lost"));
    assertThat(servers.identityAt(other)).isEqualTo(new Identity("orders"));
    String before = servers.origins.getLast().name();

    replace(revoked, lost.certificate().getSerialNumber().toString(16) + "\n");
    awaitLoad(ofServer, 2);

    eventually(
        () ->
            assertThat(servers.refusalOf(lostClient))
                .isInstanceOf(UntrustedCertificateException.class));
    assertThat(servers.identityAt(other)).isEqualTo(new Identity("orders"));
    assertThat(servers.origins.getLast().name()).as("the same connection").isEqualTo(before);
  }
}
