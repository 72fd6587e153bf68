package corfu.store.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import corfu.protocol.Permission;
import corfu.runtime.Corfu;
import corfu.store.KeyValueStore;
import corfu.store.http.access.StoreAccess;
import corfu.store.http.access.StoreSecurity;
import corfu.transport.tls.TlsConnections;
import corfu.transport.tls.TlsCredentials;
import corfu.world.World;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a store over HTTP/1.1 or HTTPS, and JSON, as {@code docs/store.md} shows, and its metrics
 * at {@code /metrics}. Each request has a virtual thread. The memory of all requests is bounded
 * together ({@link MemoryBudget}); the store executes only requests that have arrived as a whole.
 * The server disconnects clients that are too slow ({@link Transfer}). Any number of servers may
 * serve the same store. Thread-safe.
 */
public final class StoreServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreServer.class);

  private static final String METRICS = "/metrics";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  /** The number of connections that may wait for acceptance. */
  private static final int BACKLOG = 1024;

  private static final int DISCARDED_TOGETHER = 8 << 10;

  private final World world;
  private final StoreServerOptions options;
  private final Json json;
  private final StoreApi api;
  private final AtomicInteger active = new AtomicInteger();
  private final MemoryBudget memory;
  private final StoreMetrics metrics;
  private final CertificateMetrics certificates;
  private final Optional<StoreAccess> access;
  private final StoreGate gate;
  private final HttpServer server;

  private StoreServer(
      KeyValueStore store,
      World world,
      StoreServerOptions options,
      Optional<StoreAccess> access,
      Supplier<TlsConnections> cluster) {
    options.check(store.options());
    this.access = access;
    this.gate = new StoreGate(access);
    this.world = world;
    this.options = options;
    this.json = new Json(store.options());
    SnapshotCache snapshots = new SnapshotCache(store, options.maxSnapshots());
    this.api = new StoreApi(store, json, snapshots, options.maxBodyBytes());
    this.memory = new MemoryBudget(options.maxMemoryBytes());
    Transfers transfers = new Transfers(world, options.transferLimits(), options.maxConnections());
    try {
      this.server = create(options.listen(), access);
    } catch (IOException cannot) {
      throw StoreServerException.cannotListen(options.listen(), cannot);
    }
    this.metrics = new StoreMetrics(store, active, memory, transfers);
    this.certificates =
        new CertificateMetrics(
            metrics.registry(), access.map(StoreAccess::credentials), cluster, world);
    server.setExecutor(transfers);
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * Starts serving.
   *
   * @param store the store, which the caller closes after the server
   * @throws StoreServerException if the server cannot listen on its address, or its limits exceed
   *     the heap
   */
  public static StoreServer start(KeyValueStore store, World world, StoreServerOptions options) {
    return new StoreServer(store, world, options, Optional.empty(), () -> TlsConnections.NONE);
  }

  /**
   * Starts serving by HTTPS, to clients with identities and permissions.
   *
   * @param store the store, which the caller closes after the server
   * @param corfu the store's client, which needs {@code observe} to follow the policy
   * @param security the server's certificate, and whom it serves; with {@link StoreSecurity#NONE}
   *     everyone by HTTP
   * @throws StoreServerException if the server cannot listen on its address, or its limits exceed
   *     the heap
   * @throws corfu.transport.tls.TlsException if a certificate, key or authority cannot be used
   * @throws corfu.pki.PkiException if the token keys cannot be used
   */
  public static StoreServer start(
      KeyValueStore store, Corfu corfu, StoreServerOptions options, StoreSecurity security) {
    World world = corfu.streamAccess().world();
    Optional<StoreAccess> access =
        security.isOn()
            ? Optional.of(StoreAccess.open(security, corfu, store.name()))
            : Optional.empty();
    try {
      return new StoreServer(store, world, options, access, corfu::tls);
    } catch (RuntimeException failure) {
      access.ifPresent(StoreAccess::close);
      throw failure;
    }
  }

  private static HttpServer create(InetSocketAddress listen, Optional<StoreAccess> access)
      throws IOException {
    if (access.isEmpty()) {
      return HttpServer.create(listen, BACKLOG);
    }
    TlsCredentials credentials = access.get().credentials();
    HttpsServer server = HttpsServer.create(listen, BACKLOG);
    server.setHttpsConfigurator(
        new HttpsConfigurator(credentials.context()) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(credentials.serverParameters());
          }
        });
    return server;
  }

  /** Returns the address that the server listens on. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) {
    long began = world.nanoTime();
    Transfer transfer = Transfers.current();
    try (exchange;
        MemoryBudget.Share share = memory.open()) {
      transfer.end(); // of the head
      Answered answered = answer(exchange, share, transfer);
      // before the response leaves, so that its client finds it counted
      metrics.served(answered.operation, answered.reply.status(), world.nanoTime() - began);
      send(exchange, transfer, answered.reply);
    } catch (UncheckedIOException gone) {
      metrics.served("none", 0, world.nanoTime() - began); // the client has disconnected
    } catch (IOException gone) {
      LOG.debug("a client went away", gone);
    }
  }

  /** The operation of a request, as far as it is known, and the response. */
  private record Answered(String operation, StoreResponse reply) {}

  /**
   * Executes a request.
   *
   * @throws UncheckedIOException if the client disconnects in its middle, or is too slow
   */
  private Answered answer(HttpExchange exchange, MemoryBudget.Share share, Transfer transfer) {
    String operation = "none";
    try {
      StoreGate.Sender sender = gate.sender(exchange);
      StoreRequest call = new StoreRequest(exchange, share, transfer, sender);
      if (call.path().equals(METRICS)) {
        operation = "metrics";
        sender.require(Permission.OBSERVE);
        certificates.look();
        return new Answered(operation, StoreResponse.text(PROMETHEUS, metrics.text()));
      }
      StoreApi.Operation wanted = api.operation(call.method(), call.path());
      operation = wanted.name();
      wanted.needs().ifPresent(sender::require); // before a body is read
      return new Answered(operation, work(wanted.action().prepare(call)));
    } catch (UncheckedIOException gone) {
      throw gone;
    } catch (RuntimeException failure) {
      share.close(); // other requests need it while the client still sends a refused body
      HttpErrorException refusal = ErrorResponses.of(failure);
      if (refusal.status() == 500) {
        LOG.error("request {} {} failed", operation, exchange.getRequestURI(), failure);
      }
      return new Answered(operation, refusal(refusal));
    }
  }

  /** Counts only requests that have arrived, so that slow senders take no places. */
  private StoreResponse work(Supplier<StoreResponse> work) {
    try {
      if (active.incrementAndGet() > options.maxRequests()) {
        throw HttpErrorException.busy("too many requests: try again later");
      }
      return work.get();
    } finally {
      active.decrementAndGet();
    }
  }

  private StoreResponse refusal(HttpErrorException refusal) {
    if (refusal.code().equals(HttpErrorException.BUSY)) {
      metrics.rejected();
    }
    var node = json.object().put("code", refusal.code()).put("error", refusal.getMessage());
    return StoreResponse.json(refusal.status(), json.text(node)).with(refusal.headers());
  }

  private void send(HttpExchange exchange, Transfer transfer, StoreResponse reply)
      throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", reply.type());
    reply.headers().forEach(headers::set);
    long length = reply.content().length();
    transfer.start();
    try {
      if (StoreRequest.isHead(exchange) || length == 0) {
        headers.set("Content-Length", Long.toString(length));
        exchange.sendResponseHeaders(reply.status(), -1);
      } else {
        exchange.sendResponseHeaders(reply.status(), length);
        try (OutputStream out = new MovingStream(exchange.getResponseBody(), transfer)) {
          reply.content().writeTo(out);
          out.flush();
          discard(exchange.getRequestBody(), transfer);
        }
      }
      transfer.end();
    } finally {
      var unused = transfer.finish();
    }
  }

  /**
   * Reads the rest of a refused request: some clients read a response only after they have sent
   * everything. The server disconnects a client that sends much more than the largest body.
   */
  private void discard(InputStream rest, Transfer transfer) throws IOException {
    byte[] bytes = new byte[DISCARDED_TOGETHER];
    long discarded = 0;
    int count = rest.read(bytes);
    while (count > 0 && discarded <= options.maxBodyBytes()) {
      transfer.moved(count);
      discarded += count;
      count = rest.read(bytes);
    }
  }

  /** The stream of a response, which counts its progress. */
  private static final class MovingStream extends FilterOutputStream {
    private final Transfer transfer;

    private MovingStream(OutputStream to, Transfer transfer) {
      super(to);
      this.transfer = transfer;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      transfer.moved(length);
    }
  }

  /** Stops listening, and aborts requests in progress. */
  @Override
  public void close() {
    server.stop(0);
    access.ifPresent(StoreAccess::close);
    metrics.close();
  }
}
