package corfu.cli.connection;

import corfu.node.Supervision;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.ServerReport;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.TransportException;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsPeer;
import corfu.transport.tls.TlsStatus;
import corfu.world.RealWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A connection to a cluster for administrators: it inspects servers, and changes the layout. */
public final class AdminClient implements AutoCloseable {

  /** The time limit of a reconfiguration, including the wait for leases to expire. */
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);

  private final RealWorld world = new RealWorld();
  private final Duration requestTimeout;
  private final TlsCredentials credentials;
  private final TcpTransport transport;
  private final Corfu corfu;
  private final Observers observers;
  private final Reconfiguration reconfiguration;

  /**
   * Connects to the cluster.
   *
   * @throws corfu.runtime.UnavailableException if none of the servers answers, or none belongs to a
   *     cluster yet
   */
  public AdminClient(CorfuOptions options, Supervision supervision) {
    requestTimeout = options.requestTimeout();
    try {
      credentials = TlsCredentials.open(world, options.tls());
    } catch (RuntimeException failure) {
      world.close();
      throw failure;
    }
    transport =
        TcpTransport.open(
            world,
            options::cluster,
            ClientOptions.DEFAULT.withLimits(options.limits()),
            credentials);
    observers = new Observers(world, transport, supervision.suspicion(), requestTimeout);
    reconfiguration = new Reconfiguration(world, transport, requestTimeout, CHANGE_TIMEOUT);
    try {
      corfu = Corfu.connect(options, world, transport);
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /** Returns the connection of an ordinary client. */
  public Corfu corfu() {
    return corfu;
  }

  /** Returns a log unit's reply, or empty if it does not answer. */
  public Optional<Reply> ask(Endpoint unit, LogUnitRequest request) {
    try {
      return Optional.of(transport.peer(unit).call(request, requestTimeout.toNanos()));
    } catch (TransportException silent) {
      return Optional.empty();
    }
  }

  /**
   * Returns the reports of all servers of the newest layout; {@link #layout} returns that layout
   * afterwards.
   */
  public List<ServerReport> servers() {
    return corfu.servers();
  }

  /** Returns the newest layout that this connection knows. */
  public Layout layout() {
    return corfu.layout();
  }

  /** Returns the layout servers' suspicions about the servers of a layout. */
  public ClusterHealth clusterHealth(Layout layout) {
    return observers.ask(layout);
  }

  /**
   * Returns the status of a server, which may belong to no cluster, or empty if it does not answer.
   */
  public Optional<NodeReply.Status> ask(Endpoint server) {
    try {
      var reply =
          transport.peer(server).call(new NodeRequest.AskStatus(), requestTimeout.toNanos());
      return reply instanceof NodeReply.Status status ? Optional.of(status) : Optional.empty();
    } catch (TransportException silent) {
      return Optional.empty();
    }
  }

  /**
   * Returns the names that this server has for the others, or nothing if it does not answer or is
   * too old.
   */
  List<NodeReply.Named> namesToldBy(Endpoint server) {
    try {
      var reply = transport.peer(server).call(new NodeRequest.AskNames(), requestTimeout.toNanos());
      return reply instanceof NodeReply.Names names ? names.servers() : List.of();
    } catch (TransportException silent) {
      return List.of();
    }
  }

  /** See {@link Reconfiguration#change}. */
  public Layout change(UnaryOperator<Layout> wish, ClusterHealth clusterHealth) {
    return reconfiguration.change(corfu.layout(), wish, clusterHealth);
  }

  /** See {@link Reconfiguration#renew}. */
  public Layout renew() {
    return reconfiguration.renew(corfu.layout());
  }

  /** Returns the TLS of this connection, without secrets. */
  public TlsStatus tls() {
    return credentials.status();
  }

  /**
   * Returns what the server has proved by its certificate, or empty if the connection to it is
   * plain or has not been opened.
   */
  public Optional<TlsPeer> certificateOf(Endpoint server) {
    return transport.certificateOf(server);
  }

  /** Returns the time of this machine. */
  public Instant now() {
    return Instant.ofEpochMilli(world.wallTimeMillis());
  }

  public void pause(Duration time) {
    world.pause(time);
  }

  @Override
  public void close() {
    transport.close();
    credentials.close();
    world.close();
  }
}
