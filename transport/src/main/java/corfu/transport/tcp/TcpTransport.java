package corfu.transport.tcp;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
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
 * A client's way to servers over TCP. It has one thread, and one connection to each server, made
 * when the first request wants it. A server that can't be reached is left alone for a while, 10 ms
 * to 1 s, in which requests to it fail at once.
 */
public final class TcpTransport implements Transport {

  /**
   * How long a connection may take to be made, and then to be welcomed: longer than a lost packet
   * or two need.
   */
  static final int CONNECT_MILLIS = 3_000;

  /**
   * Requests that the kernel has not taken; what is beyond waits as objects, and can still be
   * withdrawn.
   */
  private static final int UNWRITTEN_BYTES = 1 << 20;

  private final World world;
  private final Supplier<Optional<ClusterId>> cluster;
  private final ClientOptions options;
  private final EventLoopLoop loop;
  private final Bootstrap bootstrap;
  private final Map<Endpoint, TcpPeer> peers = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TcpTransport(World world, Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    this.world = world;
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
   * @param cluster the cluster that is meant, empty as long as any will do; asked before each use
   *     of a connection, on any thread
   */
  public static TcpTransport open(
      World world, Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return new TcpTransport(world, cluster, options);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if that is one more than {@link ClientOptions#maxPeers}
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

  /** Whether nothing is on its way to any server. */
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
