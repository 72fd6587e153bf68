package corfu.transport.tcp;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsPeer;
import corfu.world.World;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A client's transport over TCP. It has one thread, and one connection to each server, opened at
 * the first request. After a failed connection, requests to the server fail at once during a
 * backoff of 10 ms to 1 s.
 */
public final class TcpTransport implements Transport {

  /**
   * The longest time for opening a connection, and then for the handshake: longer than the
   * repetition of one or two lost packets.
   */
  static final int CONNECT_MILLIS = 3_000;

  /**
   * The bytes of requests that may wait for the kernel. Further requests wait as objects, and can
   * still be withdrawn.
   */
  private static final int UNWRITTEN_BYTES = 1 << 20;

  private final World world;
  private final Supplier<Optional<ClusterId>> cluster;
  private final ClientOptions options;
  private final TlsCredentials credentials;
  private final EventLoopLoop loop;
  private final Bootstrap bootstrap;
  private final Map<Endpoint, TcpPeer> peers = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TcpTransport(
      World world,
      Supplier<Optional<ClusterId>> cluster,
      ClientOptions options,
      TlsCredentials credentials) {
    this.world = world;
    this.credentials = credentials;
    this.cluster = cluster;
    this.options = options;
    this.loop = new EventLoopLoop("corfu-client");
    this.bootstrap =
        new Bootstrap()
            .group(loop.group())
            .channel(Sockets.channel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(UNWRITTEN_BYTES / 2, UNWRITTEN_BYTES));
    Sockets.tune(bootstrap);
  }

  /**
   * Starts a transport.
   *
   * @param world the transport's clock and threads
   * @param cluster returns the expected cluster, or empty while any will do; called before each use
   *     of a connection, on any thread
   * @param options the bounds of the client side
   */
  public static TcpTransport open(
      World world, Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return open(world, cluster, options, TlsCredentials.off());
  }

  /**
   * Starts a transport whose connections may be encrypted.
   *
   * @param world the transport's clock and threads
   * @param cluster returns the expected cluster, or empty while any will do; called before each use
   *     of a connection, on any thread
   * @param options the bounds of the client side
   * @param credentials the client's TLS; the caller closes them after the transport
   */
  public static TcpTransport open(
      World world,
      Supplier<Optional<ClusterId>> cluster,
      ClientOptions options,
      TlsCredentials credentials) {
    return new TcpTransport(world, cluster, options, credentials);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the server would exceed {@link ClientOptions#maxPeers}
   */
  @Override
  public Peer peer(Endpoint endpoint) {
    TcpPeer known = peers.get(endpoint);
    if (known != null) {
      return known;
    }
    if (peers.size() >= options.maxPeers()) {
      throw new IllegalStateException(
          "cannot talk to "
              + endpoint
              + ", too: this transport knows "
              + options.maxPeers()
              + " servers, which is its bound");
    }
    return peers.computeIfAbsent(endpoint, e -> new TcpPeer(this, e));
  }

  /**
   * Returns what the server proved in its newest TLS handshake with this transport, or empty if
   * there was none.
   */
  public Optional<TlsPeer> certificateOf(Endpoint server) {
    TcpPeer peer = peers.get(server);
    return peer == null ? Optional.empty() : peer.certificate();
  }

  World world() {
    return world;
  }

  ClientOptions options() {
    return options;
  }

  EventLoopLoop loop() {
    return loop;
  }

  Optional<ClusterId> cluster() {
    return cluster.get();
  }

  /** Returns whether no request to any server is in flight. */
  boolean isIdle() {
    for (TcpPeer peer : peers.values()) {
      if (!peer.isIdle()) {
        return false;
      }
    }
    return true;
  }

  boolean isClosed() {
    return closed.get();
  }

  TlsCredentials credentials() {
    return credentials;
  }

  ChannelFuture connect(ClientConnection connection, InetSocketAddress address) {
    return bootstrap.clone().handler(connection).connect(address);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      loop.execute(() -> peers.values().forEach(TcpPeer::close));
    }
    loop.close();
  }
}
