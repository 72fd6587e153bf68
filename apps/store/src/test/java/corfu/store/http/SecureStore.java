package corfu.store.http;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.pki.CertificateAuthority;
import corfu.pki.SpiffeId;
import corfu.pki.tokens.TokenIssuer;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.store.http.access.StoreSecurity;
import corfu.store.http.access.TokenOptions;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A store server with HTTPS, tokens and permissions. Its own client has only the permissions that
 * the documentation names.
 */
final class SecureStore implements AutoCloseable {

  static final String DOMAIN = "local";
  static final String STORE = "stock";
  static final Identity ADMINISTRATOR = new Identity("spiffe://local/admin/ann");
  private static final Identity SERVICE = new Identity("spiffe://local/client/store");

  final RealWorld world = new RealWorld();
  final Path pki;
  final CertificateAuthority authority;
  final TokenIssuer issuer;
  final AccessControl control;
  final StoreServer server;
  private final EmbeddedCluster cluster;
  private final KeyValueStore store;
  private final List<Runnable> ends = new ArrayList<>();

  SecureStore(Path directory, StoreServerOptions options) {
    this(directory, options, true);
  }

  /**
   * @param canReadPolicy whether the store's client may read the policy
   */
  SecureStore(Path directory, StoreServerOptions options, boolean canReadPolicy) {
    pki = directory.resolve("pki");
    authority =
        CertificateAuthority.create(pki, DOMAIN, CertificateAuthority.DEFAULT_VALIDITY, world);
    authority.issueServer("store", List.of("127.0.0.1"));
    authority.issueClient("alice");
    authority.issueClient("bob");
    authority.issueAdministrator("ann");
    issuer = TokenIssuer.open(pki, world);
    cluster =
        EmbeddedCluster.builder()
            .nodes(3)
            .replicas(2)
            .supervision(Supervision.DEFAULT.withAgent(false))
            .access(ADMINISTRATOR.name())
            .start();
    control = AccessControl.over(cluster.connect(), ADMINISTRATOR);
    for (String streams : List.of("corfu.smr/corfu.store/stock*", "corfu.store/stock/*")) {
      grant("store", Permission.READ, streams);
      grant("store", Permission.APPEND, streams);
      grant("store", Permission.TRIM, streams);
    }
    if (canReadPolicy) {
      grantObserve("store");
    }
    enforce();
    Corfu service = cluster.connect(SERVICE);
    store = KeyValueStore.open(service, STORE, StoreOptions.DEFAULT);
    server = StoreServer.start(store, service, options, security());
  }

  private StoreSecurity security() {
    Path own = certificate("store");
    return StoreSecurity.of(
            TlsOptions.mutual(own, own, authority.caFile())
                .withRevocations(authority.crlFile())
                .withClients(ClientCertificates.OPTIONAL))
        .withTokens(new TokenOptions(authority.tokenKeysFile(), DOMAIN, DOMAIN))
        .withAdministrators(Subject.parse(ADMINISTRATOR.name()));
  }

  Path certificate(String name) {
    return pki.resolve("certificates").resolve(name + ".pem");
  }

  static Grant grantOf(String client, Permission permission, String target) {
    return new Grant(
        Subject.parse("spiffe://local/client/" + client), permission, Target.parse(target));
  }

  void grant(String client, Permission permission, String target) {
    var unused = control.grant(grantOf(client, permission, target));
  }

  void grantObserve(String client) {
    var unused =
        control.grant(
            Grant.of(Subject.parse("spiffe://local/client/" + client), Permission.OBSERVE));
  }

  /** Waits until the servers of the cluster enforce all grants. */
  void enforce() {
    assertThat(control.awaitEnforced(Duration.ofSeconds(60))).isEmpty();
  }

  String token(String client) {
    return issuer.issue(SpiffeId.parse("spiffe://local/client/" + client), Duration.ofHours(1));
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + server.address().getPort() + path);
  }

  /** Returns a client with a certificate. */
  HttpClient as(String name) {
    Path own = certificate(name);
    return client(TlsOptions.mutual(own, own, authority.caFile()));
  }

  HttpClient anonymous() {
    return client(TlsOptions.withoutCertificate(authority.caFile()));
  }

  HttpClient client(TlsOptions tls) {
    TlsCredentials credentials = credentials(tls);
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(credentials.context())
            .sslParameters(credentials.clientParameters())
            .build();
    ends.add(http::shutdownNow);
    return http;
  }

  TlsCredentials credentials(TlsOptions tls) {
    TlsCredentials credentials = TlsCredentials.open(world, tls);
    ends.add(credentials::close);
    return credentials;
  }

  HttpResponse<String> send(
      HttpClient http, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** Returns the status of a response. */
  int status(HttpClient http, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(http, method, path, body, headers).statusCode();
  }

  static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
    server.close();
    store.close();
    cluster.close();
    world.close();
  }
}
