package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import corfu.store.client.StoreClient;
import corfu.store.client.StoreClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class StoreServerTest {

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(3)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final KeyValueStore store =
      KeyValueStore.open(cluster.connect(), "things", StoreOptions.DEFAULT);
  private StoreServer server = start(StoreServerOptions.onPort(0).withMaxBodyBytes(1000));
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private StoreServer start(StoreServerOptions options) {
    return StoreServer.start(store, cluster.world(), options);
  }

  private void restart(StoreServerOptions options) {
    server.close();
    server = start(options);
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    server.close();
    store.close();
    cluster.close();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
  }

  private String ask(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    return response.statusCode() + " " + response.body().strip();
  }

  @Test
  void theClientSeesWhatTheStoreHolds() {
    try (StoreClient client = StoreClient.connect(uri("/"))) {
      long version = client.put("a/b c+d?é", "1".getBytes(UTF_8));
      byte[] noText = {(byte) 0xff, 0, 1};
      client.put("binary", noText);

      assertThat(client.get("a/b c+d?é"))
          .contains(new Versioned(ByteBuffer.wrap("1".getBytes(UTF_8)), version));
      assertThat(store.get("a/b c+d?é")).isPresent();
      assertThat(client.get("binary").orElseThrow().toBytes()).isEqualTo(noText);
      assertThat(client.get("nothing")).isEmpty();
      assertThat(client.getAll(List.of("binary", "nothing"))).containsOnlyKeys("binary");
      assertThat(client.scan("b", 10)).containsOnlyKeys("binary");
      client.remove("binary");
      assertThat(client.scan("", 10)).hasSize(1);
    }
  }

  @Test
  void manyKeysChangeTogetherIfAllIsAsExpected() {
    try (StoreClient client = StoreClient.connect(uri("/"))) {
      long version = client.put("a", "1".getBytes(UTF_8));
      Map<String, byte[]> two = Map.of("b", "2".getBytes(UTF_8));
      long before = client.snapshot();

      assertThat(client.write(two, List.of("a"), Map.of("a", OptionalLong.of(version))))
          .isInstanceOf(WriteOutcome.Written.class);
      assertThat(client.write(two, List.of(), Map.of("a", OptionalLong.of(version))))
          .isEqualTo(new WriteOutcome.Conflict(Optional.of("a"), OptionalLong.empty()));
      assertThat(client.scan("", 10)).containsOnlyKeys("b");
      assertThat(client.get("a", before)).isPresent();
      assertThat(client.rollBack(before)).isInstanceOf(WriteOutcome.Written.class);
      assertThat(client.scan("", 10)).containsOnlyKeys("a");
    }
  }

  @Test
  void aSingleKeyChangesUnderTheConditionsOfHttp() throws Exception {
    assertThat(ask("PUT", "/v1/keys/a", "1", "If-None-Match", "*")).startsWith("200");
    assertThat(ask("PUT", "/v1/keys/a", "2", "If-None-Match", "*"))
        .startsWith("412")
        .contains("\"version\":0");
    assertThat(ask("PUT", "/v1/keys/a", "3", "If-Match", "\"0\"")).startsWith("200");
    assertThat(ask("DELETE", "/v1/keys/a", "", "If-Match", "\"0\"")).startsWith("412");
    assertThat(ask("GET", "/v1/keys/a", "", "Accept", "application/octet-stream"))
        .isEqualTo("200 3");
    assertThat(ask("PUT", "/v1/keys/a", "4", "If-Match", "x")).startsWith("400");
  }

  @Test
  void whatCannotBeServedIsRefusedWithAReason() throws Exception {
    assertThat(ask("GET", "/nothing", "")).startsWith("404").contains("no-such-path");
    assertThat(ask("PATCH", "/v1/keys/a", "")).startsWith("405").contains("GET, PUT or DELETE");
    assertThat(ask("GET", "/v1/write", "")).startsWith("405");
    assertThat(ask("GET", "/v1/keys/a", "")).startsWith("404").contains("no-such-key");
    assertThat(ask("GET", "/v1/keys/%FF", "")).startsWith("400").contains("UTF-8");
    assertThat(ask("GET", "/v1/keys?limit=-1", "")).startsWith("400").contains("limit");
    assertThat(ask("GET", "/v1/keys/a?at=100000", "")).startsWith("400").contains("log ends");
    assertThat(ask("PUT", "/v1/keys/", "x")).startsWith("413").contains("a key has from 1");
    assertThat(ask("PUT", "/v1/keys/a", "x".repeat(1001))).startsWith("413");
    assertThat(ask("POST", "/v1/write", "{")).startsWith("400").contains("not JSON");
    assertThat(ask("POST", "/v1/write", "")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "[]")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "{\"puts\":{}}")).startsWith("400").contains("puts");
    assertThat(ask("POST", "/v1/write", "{\"put\":{\"a\":1}}")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "{\"put\":{\"a\":{\"base64\":\"?\"}}}")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "{\"expect\":{\"a\":\"x\"}}")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "{\"remove\":\"a\"}")).startsWith("400");
    assertThat(ask("POST", "/v1/get", "{\"keys\":[1]}")).startsWith("400");
    assertThat(ask("POST", "/v1/write", "[".repeat(500))).startsWith("400");
    assertThat(ask("POST", "/v1/rollback", "{}")).startsWith("400").contains("to is a number");
    assertThat(store.snapshot().size()).isZero();
  }

  @Test
  void historyComesInPieces() throws Exception {
    for (int i = 0; i < 5; i++) {
      store.put("k" + i, new byte[1]);
    }
    assertThat(ask("GET", "/v1/history?from=1&limit=2", ""))
        .isEqualTo(
            "200 {\"changes\":[{\"version\":1,\"written\":[\"k1\"],\"removed\":[]},"
                + "{\"version\":2,\"written\":[\"k2\"],\"removed\":[]}]}");
    assertThat(ask("GET", "/v1/history?from=3&to=4", "")).contains("k3").doesNotContain("k4");
  }

  @Test
  void aCompactedPastIsGone() throws Exception {
    store.put("a", new byte[1]);
    store.put("a", new byte[2]);
    assertThat(ask("POST", "/v1/checkpoint", "")).startsWith("200 {\"address\":2}");
    assertThat(ask("POST", "/v1/compact", "")).startsWith("200 {\"historyFrom\":");
    assertThat(ask("GET", "/v1/keys/a?at=1", "")).startsWith("410").contains("history-gone");
    assertThat(ask("POST", "/v1/rollback", "{\"to\":1}")).startsWith("410");
  }

  @Test
  void requestsAreCountedAndTimed() throws Exception {
    ask("PUT", "/v1/keys/a", "1");
    ask("GET", "/v1/keys/b", "");
    String metrics = ask("GET", "/metrics", "");
    assertThat(metrics)
        .contains("corfu_store_requests_seconds_count{operation=\"put\",status=\"200\"} 1")
        .contains("corfu_store_requests_seconds_count{operation=\"get\",status=\"404\"} 1")
        .contains("corfu_store_keys 1.0")
        .contains("corfu_store_played_address 1.0");
    assertThat(ask("GET", "/health", ""))
        .isEqualTo("200 {\"status\":\"ok\",\"store\":\"things\",\"address\":1}");
  }

  @Test
  void slowRequestsAreBrokenOffAndOthersAreServedMeanwhile() throws Exception {
    restart(
        StoreServerOptions.onPort(0).withMaxRequests(1).withMaxRequestTime(Duration.ofMillis(500)));
    try (Socket slow = new Socket("127.0.0.1", server.address().getPort())) {
      String begun = "PUT /v1/keys/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nbegin";
      slow.getOutputStream().write(begun.getBytes(UTF_8));
      slow.getOutputStream().flush();
      CompletableFuture<Integer> end = new CompletableFuture<>();
      cluster.world().start("slow", () -> end.complete(firstByteOf(slow)));
      while (!end.isDone()) {
        assertThat(ask("GET", "/health", "")).startsWith("200");
      }
      assertThat(end.join()).as("broken off").isNegative();
    }
    assertThat(store.get("a")).isEmpty();
  }

  private static int firstByteOf(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aServerThatIsGoneIsAnUnknownOutcome() {
    try (StoreClient client = StoreClient.connect(uri("/"))) {
      server.close();
      assertThatThrownBy(() -> client.put("a", new byte[1]))
          .isInstanceOfSatisfying(
              StoreClientException.class,
              failure -> assertThat(failure.isOutcomeUnknown()).isTrue());
    }
  }
}
