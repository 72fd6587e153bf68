package corfu.store.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import corfu.store.Store;
import corfu.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a store over HTTP/1.1 and JSON, as {@code docs/store.md} shows, and its metrics at {@code
 * /metrics}. Each request has a virtual thread; how many there are, how large they are and how long
 * they take is bounded. Any number of servers may serve the same store. Thread-safe.
 */
public final class StoreServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreServer.class);

  private static final String METRICS = "/metrics";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final World world;
  private final StoreServerOptions options;
  private final Json json;
  private final Api api;
  private final AtomicInteger active = new AtomicInteger();
  private final StoreMetrics metrics;
  private final HttpServer server;

  private StoreServer(Store store, World world, StoreServerOptions options) {
    this.world = world;
    this.options = options;
    this.json = new Json(options.maxBodyBytes());
    this.api = new Api(store, json, new Snapshots(store, options.maxSnapshots()));
    this.metrics = new StoreMetrics(store, active);
    try {
      this.server = HttpServer.create(options.listen(), 0);
    } catch (IOException cannot) {
      throw new UncheckedIOException(
          "cannot listen on %s: %s".formatted(options.listen(), cannot.getMessage()), cannot);
    }
    server.setExecutor(task -> world.start("corfu-store-request", task));
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * Starts serving.
   *
   * @param store stays the caller's to close, after the server
   * @throws UncheckedIOException if it cannot listen there
   */
  public static StoreServer start(Store store, World world, StoreServerOptions options) {
    return new StoreServer(store, world, options);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) {
    long began = world.nanoTime();
    World.Timer deadline =
        world.after(
            options.maxRequestTime().toNanos(),
            () -> world.start("corfu-store-deadline", exchange::close)); // closing may block
    try (exchange) {
      Answered answered;
      if (active.incrementAndGet() > options.maxRequests()) {
        metrics.rejected();
        Refusal busy = new Refusal(503, "busy", "too many requests: try again later");
        answered = new Answered("none", refusal(busy));
      } else {
        answered = answer(exchange);
      }
      // before it leaves: who has an answer finds it counted
      metrics.served(answered.operation, answered.reply.status(), world.nanoTime() - began);
      send(exchange, answered.reply);
    } catch (UncheckedIOException gone) {
      metrics.served("none", 0, world.nanoTime() - began); // nobody is there to be told
    } catch (IOException gone) {
      LOG.debug("a client went away", gone);
    } finally {
      deadline.cancel();
      active.decrementAndGet();
    }
  }

  /** What was asked for, as far as that could be told, and what is answered. */
  private record Answered(String operation, Reply reply) {}

  /**
   * Does what is asked for.
   *
   * @throws UncheckedIOException if the client goes away in its middle
   */
  private Answered answer(HttpExchange exchange) {
    String operation = "none";
    try {
      Call call = new Call(exchange, options.maxBodyBytes());
      if (call.path().equals(METRICS)) {
        operation = "metrics";
        return new Answered(operation, Reply.text(PROMETHEUS, metrics.text()));
      }
      Api.Operation wanted = api.operation(call.method(), call.path());
      operation = wanted.name();
      return new Answered(operation, wanted.action().answer(call));
    } catch (UncheckedIOException gone) {
      throw gone;
    } catch (RuntimeException failure) {
      Refusal refusal = Answers.of(failure);
      if (refusal.status() == 500) {
        LOG.error("request {} {} failed", operation, exchange.getRequestURI(), failure);
      }
      return new Answered(operation, refusal(refusal));
    }
  }

  private Reply refusal(Refusal refusal) {
    var node = json.object().put("code", refusal.code()).put("error", refusal.getMessage());
    return Reply.json(refusal.status(), json.text(node));
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", reply.type());
    reply.headers().forEach(headers::set);
    ByteBuffer content = reply.content().duplicate();
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(bytes);
      }
    }
  }

  /** Stops listening; requests under way are broken off. */
  @Override
  public void close() {
    server.stop(0);
    metrics.close();
  }
}
