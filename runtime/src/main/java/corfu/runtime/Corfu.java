package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Member;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.internal.LogClient;
import corfu.runtime.internal.StreamClient;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.layout.Reachability;
import corfu.runtime.internal.layout.StaleRequests;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientReconfigurer;
import corfu.transport.CancellableTransport;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsConnections;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsPeer;
import corfu.world.RealWorld;
import corfu.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A client's connection to a cluster. One per process is enough: all threads may share it.
 *
 * <pre>{@code
 * try (Corfu client = Corfu.connect("host:9000,host2:9000")) {
 *   Address address = client.log().append("hello".getBytes(UTF_8));
 *   LogEntry entry = client.log().read(address);
 * }
 * }</pre>
 */
public final class Corfu implements AutoCloseable {

  private final Servers servers;
  private final Layouts layouts;
  private final LogClient log;
  private final StreamAccess streams;
  private final List<AutoCloseable> owned;
  private final Function<Layout, TlsConnections> tls;

  private Corfu(
      CorfuOptions options,
      World world,
      Transport transport,
      List<AutoCloseable> owned,
      Function<Layout, TlsConnections> tls) {
    this.owned = owned;
    this.tls = tls;
    Reachability reachability = new Reachability(world, transport);
    StaleRequests stale =
        new StaleRequests(
            world,
            transport,
            options.reports() ? reachability : CancellableTransport.Listener.NONE);
    this.servers = new Servers(stale.way(), options.requestTimeout());
    Deadline deadline = Deadline.in(world, options.operationTimeout());
    this.layouts = Layouts.discover(servers, options.servers(), deadline);
    stale.compareWith(layouts);
    reachability.reportTo(layouts);
    ClientReconfigurer reconfigurer =
        new ClientReconfigurer(
            world, transport, options.requestTimeout(), options.reconfigureAfter());
    this.log = new LogClient(world, options, servers, layouts, reconfigurer);
    this.streams = new StreamClient(log);
  }

  /**
   * Connects to a cluster over TCP, with default options.
   *
   * @param servers addresses of servers of the cluster, with commas between them: {@code
   *     "host:9000,10.0.0.2:9000,[::1]:9000"}. One is enough; with more, some may be down.
   * @throws IllegalArgumentException if an address is not {@code host:port}, or is there twice
   * @throws UnavailableException if no server answers, or none belongs to a cluster yet
   */
  public static Corfu connect(String servers) {
    return connect(servers, options -> options);
  }

  /**
   * Connects to a cluster over TCP, with options of the caller:
   *
   * <pre>{@code
   * Corfu.connect("host:9000", options -> options.withOperationTimeout(Duration.ofSeconds(3)))
   * }</pre>
   *
   * @param servers addresses of servers of the cluster, with commas between them
   * @param change a function from the default options to those of this client
   * @throws IllegalArgumentException if an address is not {@code host:port}, or is there twice
   * @throws UnavailableException if no server answers, or none belongs to a cluster yet
   */
  public static Corfu connect(String servers, UnaryOperator<CorfuOptions> change) {
    return connect(change.apply(CorfuOptions.of(parse(servers))));
  }

  private static List<Endpoint> parse(String servers) {
    String[] parts = servers.split(",", -1);
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      Endpoint endpoint = parse(parts[i].strip(), i + 1, servers);
      if (endpoints.contains(endpoint)) {
        throw wrong(i + 1, servers, "'" + endpoint + "' is there twice");
      }
      endpoints.add(endpoint);
    }
    return endpoints;
  }

  private static Endpoint parse(String part, int number, String servers) {
    if (part.isEmpty()) {
      throw wrong(number, servers, "it is empty");
    }
    int hostEnd = part.lastIndexOf(':');
    boolean isBracketed = part.startsWith("[") && part.startsWith("]:", hostEnd - 1);
    if (!isBracketed && (part.indexOf(':') != hostEnd || part.contains("["))) {
      throw wrong(
          number, servers, "'" + part + "' is not [address]:port, as IPv6 is written: [::1]:9000");
    }
    try {
      return Endpoint.parse(part);
    } catch (IllegalArgumentException e) {
      throw wrong(number, servers, String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException wrong(int number, String servers, String reason) {
    return new IllegalArgumentException(
        "server %d of '%s' is wrong: %s".formatted(number, servers, reason));
  }

  /**
   * Connects over TCP.
   *
   * @throws UnavailableException if none of the servers answers, or none belongs to a cluster yet
   * @throws corfu.transport.WrongClusterException if the servers belong to another cluster than the
   *     one that the options name
   * @throws corfu.transport.tls.TlsException if the files of {@link CorfuOptions#tls} are missing
   *     or wrong
   */
  public static Corfu connect(CorfuOptions options) {
    RealWorld world = new RealWorld();
    TlsCredentials credentials;
    try {
      credentials = TlsCredentials.open(world, options.tls());
    } catch (RuntimeException failure) {
      world.close();
      throw failure;
    }
    TcpTransport transport =
        TcpTransport.open(
            world,
            options::cluster,
            ClientOptions.DEFAULT.withLimits(options.limits()),
            credentials);
    try {
      return new Corfu(
          options,
          world,
          transport,
          List.of(transport, credentials, world),
          layout -> connections(credentials, transport, layout));
    } catch (RuntimeException failure) {
      transport.close();
      credentials.close();
      world.close();
      throw failure;
    }
  }

  /**
   * Connects through the caller's transport, which decides about encryption. The caller closes it.
   */
  public static Corfu connect(CorfuOptions options, World world, Transport transport) {
    return new Corfu(options, world, transport, List.of(), unused -> TlsConnections.NONE);
  }

  private static TlsConnections connections(
      TlsCredentials credentials, TcpTransport transport, Layout layout) {
    Map<Endpoint, TlsPeer> servers = new LinkedHashMap<>();
    for (Endpoint server : layout.servers()) {
      transport.certificateOf(server).ifPresent(shown -> servers.put(server, shown));
    }
    return new TlsConnections(credentials.status(), servers);
  }

  /**
   * Returns the certificates on both sides of this client's connections. There are none if the
   * client was made with a transport of the caller.
   */
  public TlsConnections tls() {
    return tls.apply(layout());
  }

  /** Returns the shared log. */
  public Log log() {
    return log;
  }

  /**
   * Returns the streams' internals, for {@code corfu.runtime.stream.Streams}. Applications use that
   * class.
   */
  public StreamAccess streamAccess() {
    return streams;
  }

  /** Returns the newest layout that this client knows. It may not be the cluster's newest. */
  public Layout layout() {
    return layouts.current();
  }

  /**
   * Asks every server of the layout for its state. A server that does not answer in time has a
   * report that says so.
   */
  public List<ServerReport> servers() {
    Deadline deadline = log.context().deadline();
    layouts.refresh(deadline);
    Layout layout = layouts.current();
    Map<Endpoint, CompletableFuture<Reply>> states = new LinkedHashMap<>();
    Map<Endpoint, CompletableFuture<Reply>> usages = new LinkedHashMap<>();
    Map<Endpoint, CompletableFuture<Reply>> scrubs = new LinkedHashMap<>();
    for (Endpoint server : layout.servers()) {
      states.put(server, servers.send(server, new NodeRequest.AskStatus(), deadline));
    }
    for (Member unit : layout.units()) {
      Endpoint server = unit.endpoint();
      usages.put(server, servers.send(server, new LogUnitRequest.AskUsage(), deadline));
      scrubs.put(server, servers.send(server, new LogUnitRequest.AskScrub(), deadline));
    }
    List<ServerReport> reports = new ArrayList<>();
    states.forEach(
        (server, state) ->
            reports.add(
                report(
                    server,
                    state,
                    Optional.ofNullable(usages.get(server)),
                    Optional.ofNullable(scrubs.get(server)))));
    return reports;
  }

  private static ServerReport report(
      Endpoint server,
      CompletableFuture<Reply> state,
      Optional<CompletableFuture<Reply>> usage,
      Optional<CompletableFuture<Reply>> scrub) {
    try {
      var status = Servers.await(server, state, NodeReply.Status.class);
      return new ServerReport(
          server,
          Optional.of(status),
          usage.flatMap(sent -> told(server, sent, LogUnitReply.Usage.class)),
          scrub.flatMap(sent -> told(server, sent, LogUnitReply.Scrubbed.class)),
          "");
    } catch (RetryableException silent) {
      return new ServerReport(
          server, Optional.empty(), Optional.empty(), Optional.empty(), silent.getMessage());
    }
  }

  private static <R extends Reply> Optional<R> told(
      Endpoint server, CompletableFuture<Reply> sent, Class<R> answer) {
    try {
      return Optional.of(Servers.await(server, sent, answer));
    } catch (RetryableException broken) {
      return Optional.empty(); // a status tells why, or the server is too old for the question
    }
  }

  /** Ends all subscriptions, and closes all connections. Unfinished calls fail. */
  @Override
  public void close() {
    log.close();
    for (AutoCloseable part : owned) {
      try {
        part.close();
      } catch (RuntimeException failure) {
        throw failure;
      } catch (Exception e) {
        throw new IllegalStateException("cannot close " + part, e);
      }
    }
  }
}
