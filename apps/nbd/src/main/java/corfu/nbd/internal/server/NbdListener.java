package corfu.nbd.internal.server;

import corfu.nbd.Exports;
import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServerException;
import corfu.nbd.NbdServerOptions;
import corfu.nbd.internal.session.MemoryBudget;
import corfu.nbd.internal.session.SessionBounds;
import corfu.nbd.internal.session.SessionContext;
import corfu.nbd.internal.session.SessionLog;
import corfu.nbd.internal.tls.TlsProvider;
import corfu.world.World;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Accepts connections at an address, and owns their threads. Thread-safe. */
public final class NbdListener {

  /** The number of connections that the kernel holds until they are accepted. */
  private static final int BACKLOG = 1024;

  private static final int LEAST_READ_BYTES = 4 << 10;
  private static final int FIRST_READ_BYTES = 64 << 10;

  /** Larger reads save few system calls, and leave the processor's cache. */
  private static final int MOST_READ_BYTES = 256 << 10;

  /** The time between two looks for connections that stall. */
  private static final Duration STALL_CHECKS = Duration.ofSeconds(1);

  private static final long LONGEST_END_SECONDS = 5;

  private final World world;
  private final NbdServerOptions options;
  private final ServerSockets sockets;
  private final TlsProvider tls;
  private final SessionLog log;
  private final MemoryBudget budget;
  private final SessionContext context;
  private final MultiThreadIoEventLoopGroup threads;
  private final Map<EventLoop, LoopTurn> turns = new ConcurrentHashMap<>();
  private final Set<NbdChannel> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final CompletableFuture<Void> empty = new CompletableFuture<>();
  private final Channel listening;
  private final NbdAddress address;

  /** Set when no connection is accepted any more. */
  private volatile boolean isStopping;

  private NbdListener(
      NbdServerOptions options, Exports exports, World world, ServerSockets sockets, Logger log) {
    this.world = world;
    this.options = options;
    this.sockets = sockets;
    this.tls = TlsProvider.of(options.tls());
    this.log = new SessionLog(log, world::nanoTime);
    this.budget = new MemoryBudget(options.maxServerBytes());
    this.context =
        new SessionContext(
            exports,
            tls.need(),
            new SessionBounds(options.maxRequests(), options.maxConnectionBytes()),
            budget,
            world::nanoTime,
            this.log);
    if (options.address() instanceof NbdAddress.UnixSocket(Path path)) {
      ServerSockets.removeStale(path);
    }
    this.threads =
        new MultiThreadIoEventLoopGroup(
            options.threads(), new DefaultThreadFactory("corfu-nbd", true), sockets.newHandlers());
    ChannelFuture bound = listen().awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      endThreads();
      throw new NbdServerException(
          "cannot listen on %s: %s".formatted(options.address(), failure.getMessage()), failure);
    }
    this.listening = bound.channel();
    this.address =
        options.address() instanceof NbdAddress.Tcp tcp
            ? new NbdAddress.Tcp(
                tcp.host(), ((InetSocketAddress) listening.localAddress()).getPort())
            : options.address();
    checkStalls();
  }

  /**
   * Starts to accept connections.
   *
   * @throws NbdServerException if the address is in use, or a file of TLS is wrong
   */
  public static NbdListener start(
      NbdServerOptions options, Exports exports, World world, ServerSockets sockets, Logger log) {
    return new NbdListener(options, exports, world, sockets, log);
  }

  private ChannelFuture listen() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(threads)
            .channel(sockets.channel(options.address()))
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(
                    LEAST_READ_BYTES, FIRST_READ_BYTES, MOST_READ_BYTES))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                });
    if (options.address() instanceof NbdAddress.Tcp) {
      bootstrap
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    }
    return bootstrap.bind(sockets.socketAddress(options.address()));
  }

  /** Returns the address, with the actual port. */
  public NbdAddress address() {
    return address;
  }

  /** Returns the number of connections. */
  public int connections() {
    return connections.size();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the end of a close
  private void accept(Channel channel) {
    String client = clientOf(channel, accepted.incrementAndGet());
    if (isStopping || connections.size() >= options.maxConnections()) {
      log.warn(
          "closed a connection of NBD client %s: there are %d already, the bound is %d"
              .formatted(client, connections.size(), options.maxConnections()));
      channel.close();
      return;
    }
    LoopTurn turn = turns.computeIfAbsent(channel.eventLoop(), LoopTurn::new);
    NbdChannel connection = new NbdChannel(channel, turn, context, tls, client);
    connections.add(connection);
    World.Timer handshake =
        world.after(options.handshakeTime().toNanos(), () -> turn.run(connection::endHandshake));
    channel
        .closeFuture()
        .addListener(
            closed -> {
              handshake.cancel();
              connections.remove(connection);
              if (isStopping && connections.isEmpty()) {
                empty.complete(null);
              }
            });
    channel.pipeline().addLast(connection);
  }

  private String clientOf(Channel channel, long number) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress().getHostAddress() + ":" + remote.getPort()
        : "number " + number + " of " + options.address();
  }

  /** Closes connections that hold memory for nothing, while others wait for it. */
  private void checkStalls() {
    var unused =
        world.after(
            STALL_CHECKS.toNanos(),
            () -> {
              if (isStopping) {
                return;
              }
              if (budget.isShort()) {
                long most = options.stallTime().toNanos();
                for (NbdChannel connection : connections) {
                  connection.turn().run(() -> connection.closeIfStalled(most));
                }
              }
              checkStalls();
            });
  }

  /**
   * Stops accepting, lets requests in flight end for a while, and closes all connections. To be
   * called once, and not by a device's thread.
   */
  public void close() {
    isStopping = true;
    listening.close().awaitUninterruptibly();
    if (options.address() instanceof NbdAddress.UnixSocket(Path path)) {
      ServerSockets.delete(path);
    }
    for (NbdChannel connection : connections) {
      connection.turn().run(connection::stop);
    }
    if (connections.isEmpty()) {
      empty.complete(null);
    }
    World.Timer end = world.after(options.closeTime().toNanos(), () -> empty.complete(null));
    empty.join();
    end.cancel();
    if (!connections.isEmpty()) {
      log.warn(
          "closed %d connections of NBD clients whose requests did not end within %d ms"
              .formatted(connections.size(), options.closeTime().toMillis()));
    }
    for (NbdChannel connection : connections) {
      connection.turn().run(connection::closeNow);
    }
    endThreads();
  }

  private void endThreads() {
    threads.shutdownGracefully(0, LONGEST_END_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
