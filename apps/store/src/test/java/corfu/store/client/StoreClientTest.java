package corfu.store.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client rejects responses that do not come from a store. */
@Timeout(60)
class StoreClientTest {

  private final HttpServer server;
  private final StoreClient client;
  private int status = 200;
  private String answer = "";

  StoreClientTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        StoreClient.connect(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void isNoStore(ThrowingCallable call) {
    assertThatExceptionOfType(StoreClientException.class)
        .isThrownBy(call)
        .withMessageContaining("is no store")
        .satisfies(
            failure -> {
              assertThat(failure.code()).isEqualTo(StoreClientException.NO_STORE);
              assertThat(failure.isOutcomeUnknown()).isTrue();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "null",
        "hello",
        "{\"version\":\"new\",\"value\":\"x\"}",
        "{\"version\":1,\"base64\":\"%\"}"
      })
  void anAnswerThatSaysNothingIsNone(String said) {
    answer = said;
    isNoStore(() -> client.get("pens"));
    isNoStore(() -> client.getAll(List.of("pens")));
    isNoStore(() -> client.scan("", 10));
    isNoStore(client::snapshot);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[]", "null", "hello", "{\"version\":\"new\"}"})
  void aChangeThatNobodyHasConfirmedIsNotTakenForMade(String said) {
    answer = said;
    isNoStore(() -> client.put("pens", new byte[1]));
    isNoStore(() -> client.write(Map.of("pens", new byte[1]), List.of(), Map.of()));
    isNoStore(() -> client.remove("pens"));
    isNoStore(() -> client.rollBack(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 409, 502, 503})
  void aProxysRefusalIsNotTheStores(int refusal) {
    status = refusal;
    for (String said : List.of("{\"error\":\"bad gateway\"}", "<html>", "")) {
      answer = said;
      isNoStore(() -> client.get("pens"));
      isNoStore(() -> client.remove("pens"));
      isNoStore(() -> client.write(Map.of("pens", new byte[1]), List.of(), Map.of()));
    }
  }

  @Test
  void whatAStoreSaysIsTaken() {
    answer = "{\"version\":7,\"value\":\"\"}";
    assertThat(client.put("pens", new byte[0])).isEqualTo(7);
    assertThat(client.get("pens").orElseThrow().version()).isEqualTo(7);
  }
}
