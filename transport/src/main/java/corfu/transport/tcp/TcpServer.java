package corfu.transport.tcp;

import corfu.protocol.Endpoint;
import corfu.transport.RequestHandler;
import corfu.transport.internal.tls.ServerTls;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.world.Loop;
import corfu.world.World;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on one TCP port. One thread, its {@link #loop}, reads all connections, runs the handler
 * and writes the replies. The handler's own tasks may run there, too, without locks. Any number of
 * servers may live in one process.
 *
 * <p>It starts in two steps, because roles need the loop before there is a handler: {@link #bind},
 * then {@link #serve}. Thread-safe.
 */
public final class TcpServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TcpServer.class);

  /** The number of connections that the kernel holds until they are accepted. */
  private static final int BACKLOG = 1024;

  private final World world;
  private final TcpServerOptions options;
  private final EventLoopLoop loop;
  private final ChannelGroup connections;
  private final RareLog log;
  private final Channel listening;
  private final Endpoint endpoint;
  private final Optional<ServerTls> tls;
  private final TlsCredentials.Subscription reloads;

  /** Set once, on the loop, before the first connection is accepted. */
  private @Nullable ServerTurn turn;

  private TcpServer(
      World world, String host, int port, TcpServerOptions options, TlsCredentials credentials) {
    this.world = world;
    this.options = options;
    this.loop = new EventLoopLoop("corfu-server-" + port);
    this.connections = new DefaultChannelGroup(loop.eventLoop(), true);
    this.log = new RareLog(world, LOG);
    ChannelFuture bound = listen(host, port).awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      loop.close();
      throw new CannotListenException(host, port, failure);
    }
    this.listening = bound.channel();
    this.endpoint = new Endpoint(host, ((InetSocketAddress) listening.localAddress()).getPort());
    this.tls =
        credentials.mode() == TlsMode.OFF
            ? Optional.empty()
            : Optional.of(ServerTls.of(world, credentials, loop.eventLoop(), endpoint.port()));
    this.reloads = credentials.onReload(() -> loop.execute(this::closeRevoked));
  }

  /**
   * Binds the port and starts the loop. Connections wait until {@link #serve}.
   *
   * @param world the server's clock and threads
   * @param host the host name or address to listen on
   * @param port the port, or 0 for any free one: see {@link #endpoint}
   * @param options the server's bounds
   * @throws CannotListenException if the server cannot listen on the port
   */
  public static TcpServer bind(World world, String host, int port, TcpServerOptions options) {
    return bind(world, host, port, options, TlsCredentials.off());
  }

  /**
   * Binds the port and starts the loop, for connections with or without TLS. Connections wait until
   * {@link #serve}.
   *
   * @param world the server's clock and threads
   * @param host the host name or address to listen on
   * @param port the port, or 0 for any free one: see {@link #endpoint}
   * @param options the server's bounds
   * @param credentials the server's TLS; the caller closes them after the server
   * @throws CannotListenException if the server cannot listen on the port
   * @throws corfu.transport.tls.TlsException if TLS is on without an own certificate
   */
  public static TcpServer bind(
      World world, String host, int port, TcpServerOptions options, TlsCredentials credentials) {
    credentials.checkForServer();
    return new TcpServer(world, host, port, options, credentials);
  }

  private ChannelFuture listen(String host, int port) {
    int high = options.maxUnwrittenBytes();
    return new ServerBootstrap()
        .group(loop.group())
        .channel(Sockets.serverChannel())
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(
            ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(high / 2, high))
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                accept(channel);
              }
            })
        .bind(host, port);
  }

  /** Returns the endpoint on which the server listens, with the actual port. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Returns the server's only thread. It lives until {@link #close}. */
  public Loop loop() {
    return loop;
  }

  /** Starts to accept connections. To be called once. */
  public void serve(RequestHandler handler) {
    loop.execute(
        () -> {
          if (turn != null) {
            throw new IllegalStateException("the server at " + endpoint + " serves already");
          }
          turn =
              new ServerTurn(
                  loop.eventLoop(),
                  handler,
                  new HeldMemory(atMost(options.maxServerBytes(), 2)),
                  new UnreadReplies(
                      loop.eventLoop(),
                      world::nanoTime,
                      atMost(options.maxServerUnreadBytes(), 4),
                      options.unreadPatience()),
                  log);
          listening.config().setAutoRead(true);
        });
  }

  /** Returns the bound, reduced to this part of the JVM's direct memory. */
  private static long atMost(long bytes, int part) {
    return Math.min(bytes, PlatformDependent.maxDirectMemory() / part);
  }

  private void accept(Channel channel) {
    ServerTurn serving = turn;
    if (serving == null || connections.size() >= options.maxConnections()) {
      log.warn(
          "closed a connection from "
              + channel.remoteAddress()
              + " to "
              + endpoint
              + ": there are "
              + connections.size()
              + " already, which is the bound");
      Sockets.close(channel);
      return;
    }
    connections.add(channel);
    channel
        .pipeline()
        .addLast(
            tls.isPresent()
                ? new ConnectionStart(
                    channel,
                    tls.get(),
                    accepted -> new ServerConnection(channel, accepted, serving, options, log),
                    options.handshakeDeadline(),
                    log)
                : new ServerConnection(
                    channel,
                    AcceptedConnection.plain(
                        RequestOrigins.of(channel.remoteAddress()), options.handshakeDeadline()),
                    serving,
                    options,
                    log));
  }

  /** Closes the connections of clients whose certificates have been revoked. */
  private void closeRevoked() {
    for (Channel channel : connections) {
      ServerConnection connection = channel.pipeline().get(ServerConnection.class);
      if (connection != null
          && tls.isPresent()
          && tls.get().credentials().isRevoked(connection.client())) {
        log.warn(
            "closed the connection of "
                + connection.client().identity()
                + " to "
                + endpoint
                + ": its certificate has been revoked");
        Sockets.close(channel);
      }
    }
  }

  /**
   * Stops listening and closes all connections. Returns after that is done, unless called on the
   * loop. The loop continues, so that the handler's own objects can be closed on it. Later replies
   * are dropped.
   */
  public void stop() {
    reloads.close();
    ChannelFuture closed = listening.close();
    if (!loop.isInside()) {
      closed.awaitUninterruptibly();
    }
    var all = connections.close();
    if (!loop.isInside()) {
      all.awaitUninterruptibly();
    }
  }

  /** Stops the server and ends the loop. */
  @Override
  public void close() {
    stop();
    loop.close();
    tls.ifPresent(one -> one.tasks().close());
  }
}
