package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.runtime.Corfu;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No client of a server can take memory, places or time from the others. */
@Timeout(120)
class StoreServerLimitsTest {

  private static final int MIB = 1 << 20;
  private static final int FAST = 1 << 30;
  private static final String RESERVED = "corfu_store_memory_reserved_bytes";

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(3)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final HeldTransport way = new HeldTransport(cluster.transport());
  private final Corfu corfu = Corfu.connect(cluster.clientOptions(), cluster.world(), way);
  private final KeyValueStore store = KeyValueStore.open(corfu, "things", StoreOptions.DEFAULT);
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Socket> sockets = new ArrayList<>();
  private StoreServer server = start(StoreServerOptions.onPort(0));

  private StoreServer start(StoreServerOptions options) {
    return StoreServer.start(store, cluster.world(), options);
  }

  private void restart(StoreServerOptions options) {
    server.close();
    server = start(options);
  }

  /** One that cuts off who is slow for a second, which the test's own requests are not. */
  private static StoreServerOptions impatient() {
    return StoreServerOptions.onPort(0).withMinRate(FAST, Duration.ofSeconds(1));
  }

  /** One that cuts off nobody as long as a test takes. */
  private static StoreServerOptions patient() {
    return StoreServerOptions.onPort(0)
        .withMinRate(1, Duration.ofMinutes(5))
        .withMaxRequestTime(Duration.ofMinutes(5));
  }

  @AfterEach
  void stop() throws IOException {
    way.release();
    for (Socket socket : sockets) {
      socket.close();
    }
    http.shutdownNow();
    server.close();
    store.close();
    corfu.close();
    cluster.close();
  }

  // ------------------------------------------------------------------------------- memory

  @Test
  void bodiesTogetherHoldNoMoreThanTheirMemoryAndSmallOnesFindRoom() throws Exception {
    restart(patient().withMaxMemoryBytes(8 * MIB));
    // one of them fits: a large request leaves 2 MiB, and each costs 3.6 million bytes so far
    String body = "{\"put\":{\"k\":\"" + "x".repeat(1_000_000) + "\"}}";
    List<Socket> large = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      large.add(begin("POST", "/v1/write", body.length(), body.substring(0, 900_000)));
    }
    awaitMetric("corfu_store_requests_rejected_total", 3);
    awaitAtLeast(RESERVED, 3_600_000);
    assertThat(metric(RESERVED)).isLessThanOrEqualTo(6 * MIB);

    assertThat(ask("PUT", "/v1/keys/small", "1")).startsWith("200");
    assertThat(ask("POST", "/v1/write", body)).startsWith("503").contains("busy");
    List<String> answers = new ArrayList<>();
    for (Socket socket : large) {
      socket.getOutputStream().write(body.substring(900_000).getBytes(UTF_8));
      answers.add(answerOf(socket).join());
    }
    assertThat(answers).filteredOn(answer -> answer.startsWith("HTTP/1.1 200")).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> !answer.startsWith("HTTP/1.1 200"))
        .allSatisfy(
            answer ->
                assertThat(answer).startsWith("HTTP/1.1 503").contains("Retry-after: 1", "busy"));
  }

  @Test
  void aBodyIsRefusedBeforeItIsSentIfItIsTooLongOrThereIsNoMemoryForIt() throws Exception {
    restart(StoreServerOptions.onPort(0).withMaxMemoryBytes(8 * MIB).withMaxBodyBytes(1_500_000));
    begin("POST", "/v1/write", 1_500_000, "{\"put\":{\"k\":\"" + "x".repeat(900_000));
    awaitAtLeast(RESERVED, 3_600_000);
    assertThat(answerOf(begin("POST", "/v1/write", 1_500_000, "")).join())
        .startsWith("HTTP/1.1 503")
        .contains("Retry-after: 1", "busy");
    assertThat(answerOf(begin("POST", "/v1/write", 1_500_001, "")).join())
        .startsWith("HTTP/1.1 413")
        .contains("1500000 bytes");
    assertThat(answerOf(begin("PUT", "/v1/keys/a", MIB + 1, "")).join())
        .as("a value is no larger than 1 MiB, whatever a body may have")
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void memoryIsGivenBackWhateverBecomesOfARequest() throws Exception {
    ask("PUT", "/v1/keys/a", "x".repeat(100_000));
    ask("GET", "/v1/keys/a", "");
    ask("POST", "/v1/write", "{\"put\":{\"a\":[\"" + "x".repeat(100_000));
    begin("POST", "/v1/write", 1_000, "{\"put\":{\"a\":\"").close();
    awaitMetric(RESERVED, 0);
  }

  @Test
  void valuesAreReadOnlyIfThereIsMemoryForThem() throws Exception {
    for (int i = 0; i < 8; i++) {
      store.put("k" + i, new byte[MIB]);
    }
    restart(StoreServerOptions.onPort(0).withMaxMemoryBytes(8 * MIB));
    assertThat(ask("GET", "/v1/keys?limit=8", "")).startsWith("413").contains("split it");
    assertThat(send("GET", "/v1/keys?limit=4", "").body().length()).isGreaterThan(5 * MIB);
  }

  // ------------------------------------------------------------------------------- places

  @Test
  void slowSendersTakeNobodysPlace() throws Exception {
    restart(patient().withMaxRequests(1));
    for (int i = 0; i < 20; i++) {
      begin("PUT", "/v1/keys/a", 100, "begin");
    }
    for (int i = 0; i < 20; i++) {
      assertThat(ask("PUT", "/v1/keys/b", "1")).startsWith("200");
    }
  }

  @Test
  void requestsBeyondThoseThatTheStoreWorksForAreRefused() throws Exception {
    restart(StoreServerOptions.onPort(0).withMaxRequests(1));
    way.hold();
    var first = http.sendAsync(request("GET", "/v1/keys/a", ""), BodyHandlers.ofString());
    awaitMetric("corfu_store_requests_active", 1);

    HttpResponse<String> second = send("GET", "/v1/keys/a", "");
    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(second.body()).contains("busy");
    assertThat(second.headers().firstValue("Retry-After")).contains("1");
    way.release();
    assertThat(first.join().statusCode()).isEqualTo(404);
  }

  @Test
  void aConnectionBeyondTheBoundDisplacesTheSlowest() throws Exception {
    restart(patient().withMaxConnections(2));
    Socket slowest = begin("PUT", "/v1/keys/a", 100, "begin");
    awaitAtLeast(RESERVED, 4 * 5); // it is the first to have arrived
    begin("PUT", "/v1/keys/a", 100, "begin");
    awaitAtLeast("corfu_store_connections_cut_total", 1); // when the second one has arrived
    assertThat(ask("GET", "/health", "")).startsWith("200");
    assertThat(answerOf(slowest).join()).isEmpty();
  }

  // --------------------------------------------------------------------------------- time

  @Test
  void aSenderBelowTheLeastRateIsCutOff() throws Exception {
    restart(impatient());
    assertThat(answerOf(begin("PUT", "/v1/keys/a", 100, "begin")).join()).isEmpty();
    assertThat(answerOf(open("PUT /v1/keys/a HTTP/1.1\r\nHost: x\r\nContent-Le")).join())
        .as("in the middle of its head")
        .isEmpty();
    assertThat(answerOf(begin("PUT", "/v1/keys/a", MIB + 1, "")).join())
        .as("a refused one that goes on slowly has its answer")
        .startsWith("HTTP/1.1 413");
    assertThat(store.get("a")).isEmpty();
    awaitAtLeast("corfu_store_connections_cut_total", 3);
  }

  @Test
  void aReaderBelowTheLeastRateIsCutOff() throws Exception {
    for (int i = 0; i < 32; i++) {
      store.put("k" + i, new byte[MIB]);
    }
    restart(impatient());
    Socket reader = open("GET /v1/keys?limit=32 HTTP/1.1\r\nHost: x\r\n\r\n");
    awaitAtLeast("corfu_store_connections_cut_total", 1);

    assertThat(answerOf(reader).join().length()).isPositive().isLessThan(32 * MIB);
    awaitMetric(RESERVED, 0);
  }

  // -------------------------------------------------------------------------------- others

  @Test
  void headIsAnsweredLikeGetWithoutABody() throws Exception {
    store.put("a", "1".getBytes(UTF_8));
    HttpResponse<String> get = send("GET", "/v1/keys/a", "");
    HttpResponse<String> head = send("HEAD", "/v1/keys/a", "");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    for (String name : List.of("ETag", "Content-Type", "Content-Length")) {
      assertThat(head.headers().firstValue(name)).isEqualTo(get.headers().firstValue(name));
    }
    assertThat(send("HEAD", "/health", "").statusCode()).isEqualTo(200);
    assertThat(send("HEAD", "/v1/keys/b", "").statusCode()).isEqualTo(404);
    assertThat(send("HEAD", "/v1/write", "").statusCode()).isEqualTo(405);
  }

  @Test
  void aPortInUseIsNamed() {
    int port = server.address().getPort();
    assertThatThrownBy(() -> start(StoreServerOptions.onPort(port)))
        .isInstanceOf(StoreServerException.class)
        .hasMessageContaining("cannot listen on localhost:" + port)
        .hasMessageContaining("choose another port");
  }

  @Test
  void limitsBeyondTheHeapAreRefused() {
    long heap = Runtime.getRuntime().maxMemory();
    assertThatThrownBy(() -> start(StoreServerOptions.onPort(0).withMaxMemoryBytes(heap)))
        .isInstanceOf(StoreServerException.class)
        .hasMessageContaining("max-memory")
        .hasMessageContaining("-Xmx");
  }

  // ------------------------------------------------------------------------------ requests

  private HttpRequest request(String method, String path, String body) {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    return HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body)).build();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return http.send(request(method, path, body), BodyHandlers.ofString());
  }

  private String ask(String method, String path, String body) throws Exception {
    HttpResponse<String> response = send(method, path, body);
    return response.statusCode() + " " + response.body();
  }

  /** A client that has sent so much, and sends no more. */
  private Socket open(String sent) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(64 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", server.address().getPort()));
    try {
      socket.getOutputStream().write(sent.getBytes(UTF_8));
    } catch (SocketException refused) {
      // it may be refused before it has sent all
    }
    return socket;
  }

  private Socket begin(String method, String path, int announced, String sent) throws IOException {
    return open(
        "%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(method, path, announced, sent));
  }

  /** The first piece of what it is told, or all of it if its connection ends; empty: nothing. */
  private CompletableFuture<String> answerOf(Socket socket) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    cluster.world().start("reader", () -> answer.complete(read(socket)));
    return answer;
  }

  private static String read(Socket socket) {
    StringBuilder read = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      byte[] piece = new byte[64 << 10];
      int count = in.read(piece);
      while (count > 0 && !isWhole(read.append(new String(piece, 0, count, UTF_8)))) {
        count = in.read(piece);
      }
    } catch (SocketException reset) {
      // as much as came
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return read.toString();
  }

  private static boolean isWhole(StringBuilder read) {
    Matcher matcher = Pattern.compile("Content-length: (\\d+)").matcher(read);
    int head = read.indexOf("\r\n\r\n");
    return head >= 0
        && matcher.find()
        && read.length() >= head + 4 + Integer.parseInt(matcher.group(1));
  }

  private double metric(String name) throws Exception {
    Matcher line =
        Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(send("GET", "/metrics", "").body());
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }

  private void awaitAtLeast(String name, int value) throws Exception {
    while (metric(name) < value) {
      // the test's time is the limit
    }
  }

  private void awaitMetric(String name, int value) throws Exception {
    while (metric(name) != value) {
      // the test's time is the limit
    }
  }
}
