package corfu.node.access;

import static corfu.node.access.SecureCluster.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.protocol.Address;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients without a proven name have what is granted to {@code anonymous}, and no more. */
@Timeout(120)
class AnonymousClientsTest {

  private static final byte[] TEXT = "hello".getBytes(UTF_8);

  @TempDir private Path directory;

  @Test
  void aClientWithoutTlsHasTheGrantsOfAnonymousOnly() {
    try (var cluster =
        new SecureCluster(directory, TlsMode.OPTIONAL, ClientCertificates.REQUIRED)) {
      TlsOptions alice = cluster.issue("alice");
      cluster.grant(
          "anonymous read news",
          "spiffe://local/* append orders/*",
          "spiffe://local/client/alice read *");
      LogStream news = Streams.over(cluster.administrator).open("news");
      news.append(TEXT);
      assertHasOnlyNews(cluster, TlsOptions.OFF);

      // a client with a certificate is not anonymous, whether it requires TLS or not
      for (TlsMode mode : new TlsMode[] {TlsMode.OPTIONAL, TlsMode.REQUIRED}) {
        try (Corfu named = cluster.connect(alice.withMode(mode))) {
          Streams.over(named).open("orders/books").append(TEXT);
          assertThat(texts(Streams.over(named).open("orders/books"))).isNotEmpty();
        }
      }
    }
  }

  @Test
  void aClientWithTlsButWithoutACertificateIsAnonymousWhereServersAllowIt() {
    try (var cluster =
        new SecureCluster(directory, TlsMode.REQUIRED, ClientCertificates.OPTIONAL)) {
      cluster.grant("anonymous read news", "spiffe://local/* append *");
      Streams.over(cluster.administrator).open("news").append(TEXT);

      assertHasOnlyNews(cluster, TlsOptions.withoutCertificate(cluster.authorities()));
      assertThatThrownBy(() -> cluster.connect(TlsOptions.OFF).close())
          .hasMessageContaining("requires TLS");
    }
  }

  /** An identity cannot be claimed: what a client says of itself is no proof. */
  private static void assertHasOnlyNews(SecureCluster cluster, TlsOptions tls) {
    LogStream orders = Streams.over(cluster.administrator).open("orders/books");
    Address secret = orders.append("secret".getBytes(UTF_8)).address();
    try (Corfu anonymous = cluster.connect(tls)) {
      Streams streams = Streams.over(anonymous);
      assertThat(texts(streams.open("news"))).containsExactly("hello");
      assertDenied(Permission.APPEND, () -> streams.open("news").append(TEXT));
      assertDenied(Permission.APPEND, () -> streams.open("orders/books").append(TEXT));
      assertDenied(Permission.READ, () -> texts(streams.open("orders/books")));
      assertDenied(Permission.READ, () -> anonymous.log().read(secret));
      assertDenied(Permission.APPEND_LOG, () -> anonymous.log().append(TEXT));
      AccessControl claimed = AccessControl.over(anonymous, SecureCluster.ADMINISTRATOR);
      Grant everything = Grant.of(new Subject.Exact(Identity.ANONYMOUS), Permission.ADMINISTER);
      assertThatThrownBy(() -> claimed.grant(everything))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("corfu access grant anonymous administer");
    }
  }

  private static void assertDenied(Permission missing, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            AccessDeniedException.class,
            denied -> assertThat(denied.permission()).isEqualTo(missing));
  }
}
