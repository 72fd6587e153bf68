package corfu.store.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import corfu.transport.tls.TlsMode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A client of a store's HTTP server.
 *
 * <pre>{@code
 * try (StoreClient store = StoreClient.connect(URI.create("http://127.0.0.1:9100"))) {
 *   long version = store.put("pens", "ten".getBytes(UTF_8));
 *   Optional<Versioned> pens = store.get("pens");
 * }
 * }</pre>
 *
 * <p>Thread-safe. Calls fail with a {@link StoreClientException}, also if an outcome is unknown
 * because no response came in time.
 */
public final class StoreClient implements AutoCloseable {

  private static final int OK = 200;

  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http;
  private final URI base;
  private final Duration timeout;
  private final Supplier<Optional<String>> token;

  private StoreClient(URI base, StoreClientOptions options) {
    this.base = base;
    this.timeout = options.timeout();
    this.token = options.token();
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    if (options.tls().mode() != TlsMode.OFF) {
      builder.sslContext(options.tls().context()).sslParameters(options.tls().clientParameters());
    }
    this.http = builder.build();
  }

  /** Returns a client of the store at this address; calls may take 30 seconds. */
  public static StoreClient connect(URI server) {
    return connect(server, StoreClientOptions.DEFAULT);
  }

  /**
   * Returns a client of the store at this address.
   *
   * @param timeout the longest time of a call
   */
  public static StoreClient connect(URI server, Duration timeout) {
    return connect(server, StoreClientOptions.DEFAULT.withTimeout(timeout));
  }

  /**
   * Returns a client of the store at this address.
   *
   * @param server the address, such as {@code https://store.example:9100}
   * @param options the timeout, certificates and tokens
   */
  public static StoreClient connect(URI server, StoreClientOptions options) {
    return new StoreClient(server, options);
  }

  /** Returns the key's value, or empty if it has none. */
  public Optional<Versioned> get(String key) {
    return get(key, OptionalLong.empty());
  }

  /** Returns the key's value at a {@linkplain #snapshot snapshot}, or empty if it had none. */
  public Optional<Versioned> get(String key, long at) {
    return get(key, OptionalLong.of(at));
  }

  private Optional<Versioned> get(String key, OptionalLong at) {
    String query = at.isPresent() ? "?at=" + at.getAsLong() : "";
    HttpResponse<byte[]> response = send(request("/v1/keys/" + encoded(key) + query).GET());
    JsonNode body = parsed(response);
    if (response.statusCode() == 404 && body.path("code").asText().equals("no-such-key")) {
      return Optional.empty();
    }
    return Optional.of(versioned(checked(response, body)));
  }

  /** Returns the values of the keys that have one, all of one moment. */
  public Map<String, Versioned> getAll(Collection<String> keys) {
    ObjectNode wish = mapper.createObjectNode();
    keys.forEach(wish.putArray("keys")::add);
    return entries(post("/v1/get", wish));
  }

  /** Returns keys in their order and their values, at most {@code most} of them. */
  public Map<String, Versioned> scan(String from, int most) {
    String path = "/v1/keys?from=" + encoded(from) + "&limit=" + most;
    HttpResponse<byte[]> response = send(request(path).GET());
    return entries(checked(response, parsed(response)));
  }

  /** Puts a key's value, and returns its version. */
  public long put(String key, byte[] value) {
    HttpResponse<byte[]> response =
        send(request("/v1/keys/" + encoded(key)).PUT(BodyPublishers.ofByteArray(value)));
    return number(checked(response, parsed(response)), "version");
  }

  /** Removes a key's value, if it has one. */
  public void remove(String key) {
    HttpResponse<byte[]> response = send(request("/v1/keys/" + encoded(key)).DELETE());
    var unused = number(checked(response, parsed(response)), "version");
  }

  /**
   * Makes all of these changes, or none, and returns the outcome.
   *
   * @param expected the versions that keys must have; an empty version means no value
   */
  public WriteOutcome write(
      Map<String, byte[]> put, Collection<String> remove, Map<String, OptionalLong> expected) {
    ObjectNode wish = mapper.createObjectNode();
    ObjectNode puts = wish.putObject("put");
    put.forEach(
        (key, value) ->
            puts.putObject(key).put("base64", Base64.getEncoder().encodeToString(value)));
    remove.forEach(wish.putArray("remove")::add);
    ObjectNode expect = wish.putObject("expect");
    expected.forEach(
        (key, version) -> {
          if (version.isPresent()) {
            expect.put(key, version.getAsLong());
          } else {
            expect.putNull(key);
          }
        });
    return outcome("/v1/write", wish);
  }

  /** Returns the address of the present store, for later reads. */
  public long snapshot() {
    HttpResponse<byte[]> response = send(request("/v1/snapshot").GET());
    return number(checked(response, parsed(response)), "address");
  }

  /** Rolls the whole store back to a snapshot. */
  public WriteOutcome rollBack(long to) {
    return outcome("/v1/rollback", mapper.createObjectNode().put("to", to));
  }

  private WriteOutcome outcome(String path, ObjectNode wish) {
    HttpResponse<byte[]> response = send(postRequest(path, wish));
    JsonNode body = parsed(response);
    if (response.statusCode() == 409 && body.path("code").asText().equals("conflict")) {
      JsonNode version = body.path("version");
      return new WriteOutcome.Conflict(
          body.has("key") ? Optional.of(body.path("key").asText()) : Optional.empty(),
          version.isNumber() ? OptionalLong.of(version.asLong()) : OptionalLong.empty());
    }
    return new WriteOutcome.Written(number(checked(response, body), "version"));
  }

  // --------------------------------------------------------------------------------- requests

  private HttpRequest.Builder request(String pathAndQuery) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(pathAndQuery)).timeout(timeout);
    Optional<String> proof = token.get();
    if (proof.isPresent()) {
      if (!"https".equals(base.getScheme())) {
        throw new IllegalStateException(
            "a token is sent by https only, because others could read it, but the store is at "
                + base);
      }
      request.header("Authorization", "Bearer " + proof.get());
    }
    return request;
  }

  private HttpRequest.Builder postRequest(String path, ObjectNode wish) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(wish.toString()));
  }

  private JsonNode post(String path, ObjectNode wish) {
    HttpResponse<byte[]> response = send(postRequest(path, wish));
    return checked(response, parsed(response));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) {
    CompletableFuture<HttpResponse<byte[]>> response =
        http.sendAsync(request.build(), BodyHandlers.ofByteArray());
    try {
      return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS); // includes the body
    } catch (ExecutionException failed) {
      throw noAnswer(String.valueOf(failed.getCause()), failed);
    } catch (TimeoutException late) {
      response.cancel(true);
      throw noAnswer("not within " + timeout.toMillis() + " ms", late);
    } catch (InterruptedException interrupted) {
      response.cancel(true);
      Thread.currentThread().interrupt();
      throw new StoreClientException("interrupted", "interrupted while waiting", interrupted);
    }
  }

  private StoreClientException noAnswer(String why, Exception cause) {
    return new StoreClientException(
        "no-answer", "the store at " + base + " did not answer: " + why, cause);
  }

  private JsonNode parsed(HttpResponse<byte[]> response) {
    try {
      return mapper.readTree(response.body());
    } catch (IOException noJson) {
      throw noStore(response.statusCode(), "its answer is no JSON");
    }
  }

  private StoreClientException noStore(int status, String why) {
    return new StoreClientException(
        status,
        StoreClientException.NO_STORE,
        "what answers at %s with status %d is no store: %s".formatted(base, status, why));
  }

  private JsonNode checked(HttpResponse<byte[]> response, JsonNode body) {
    int status = response.statusCode();
    if (!body.isObject() || (status != OK && !body.has("code"))) {
      throw noStore(status, "its answer says nothing that a store says");
    }
    if (status != OK) {
      throw new StoreClientException(
          status, body.path("code").asText(), body.path("error").asText());
    }
    return body;
  }

  private Map<String, Versioned> entries(JsonNode body) {
    Map<String, Versioned> entries = new LinkedHashMap<>();
    for (JsonNode entry : field(body, "entries")) {
      entries.put(field(entry, "key").asText(), versioned(entry));
    }
    return entries;
  }

  private Versioned versioned(JsonNode entry) {
    return new Versioned(ByteBuffer.wrap(value(entry)), number(entry, "version"));
  }

  private byte[] value(JsonNode entry) {
    if (!entry.has("base64")) {
      return field(entry, "value").asText().getBytes(UTF_8);
    }
    try {
      return Base64.getDecoder().decode(entry.path("base64").asText());
    } catch (IllegalArgumentException broken) {
      throw noStore(OK, "a value of it is no Base64: " + broken.getMessage());
    }
  }

  private long number(JsonNode of, String name) {
    JsonNode value = field(of, name);
    if (!value.canConvertToLong()) {
      throw noStore(OK, name + " is no number in its answer");
    }
    return value.asLong();
  }

  private JsonNode field(JsonNode of, String name) {
    JsonNode value = of.get(name);
    if (value == null) {
      throw noStore(OK, "its answer has no " + name);
    }
    return value;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Aborts calls in progress. */
  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
