package corfu.transport.tcp;

import corfu.protocol.message.RequestOrigin;
import corfu.transport.internal.tls.HandshakeGate;
import corfu.transport.internal.tls.LingeringClose;
import corfu.transport.internal.tls.ServerTls;
import corfu.transport.internal.tls.TlsErrors;
import corfu.transport.internal.tls.TlsFirstBytes;
import corfu.transport.tls.TlsPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a connection to a server with TLS, until a {@link ServerConnection} takes over.
 * Lives on the server's loop.
 *
 * <pre>
 *   FIRST_BYTES --TLS record--> WAITING --admitted--> HANDSHAKE --done--> OVER
 *        +-------anything else: plain, or refused-------------------------->+
 * </pre>
 */
final class ConnectionStart extends ChannelInboundHandlerAdapter implements HandshakeGate.Arrival {

  /** The longest time for a handshake that the server has admitted. */
  private static final long HANDSHAKE_MILLIS = 3_000;

  private enum State {
    FIRST_BYTES,
    WAITING,
    HANDSHAKE,
    OVER
  }

  /** Makes the connection that takes over. */
  interface Takeover {
    /** Returns the handler of the connection from its first message on. */
    ServerConnection connection(AcceptedConnection accepted);
  }

  private final Channel channel;
  private final ServerTls tls;
  private final Takeover takeover;
  private final Duration deadline;
  private final RareLog log;
  private final RequestOrigin origin;
  private final long startNanos;

  private State state = State.FIRST_BYTES;
  private @Nullable ByteBuf held;
  private @Nullable ChannelHandlerContext context;

  ConnectionStart(
      Channel channel, ServerTls tls, Takeover takeover, Duration deadline, RareLog log) {
    this.channel = channel;
    this.tls = tls;
    this.takeover = takeover;
    this.deadline = deadline;
    this.log = log;
    this.origin = RequestOrigins.of(channel.remoteAddress());
    this.startNanos = tls.nanoTime().getAsLong();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    endAfter(deadline.toMillis());
  }

  private void endAfter(long millis) {
    Sockets.after(
        millis,
        channel.eventLoop(),
        () -> {
          if (state != State.OVER) {
            log.warn("closed " + name() + ": no TLS handshake in " + millis + " ms");
            Sockets.close(channel);
          }
        });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    if (state == State.HANDSHAKE || state == State.OVER) {
      context.fireChannelRead(read);
      return;
    }
    ByteBuf earlier = held;
    held = earlier == null ? read : joined(earlier, read);
    if (state == State.FIRST_BYTES) {
      takeFirstBytes(context, held);
    }
  }

  private static ByteBuf joined(ByteBuf first, ByteBuf second) {
    ByteBuf both = first.alloc().buffer(first.readableBytes() + second.readableBytes());
    both.writeBytes(first).writeBytes(second);
    first.release();
    second.release();
    return both;
  }

  private void takeFirstBytes(ChannelHandlerContext context, ByteBuf bytes) {
    if (!bytes.isReadable()) {
      return;
    }
    if (!TlsFirstBytes.isTls(bytes)) {
      handOver(
          context,
          tls.isRequired()
              ? AcceptedConnection.refused(origin, left())
              : AcceptedConnection.plain(origin, left()));
    } else if (TlsFirstBytes.isEnough(bytes)) {
      state = State.WAITING;
      this.context = context;
      channel.config().setAutoRead(false);
      if (!tls.gate().enter(this)) {
        log.warn("closed " + name() + ": too many TLS handshakes wait already");
        state = State.OVER;
        Sockets.close(channel);
      }
    }
  }

  private Duration left() {
    Duration used = Duration.ofNanos(tls.nanoTime().getAsLong() - startNanos);
    Duration left = deadline.minus(used);
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  @Override
  public String host() {
    return origin.name();
  }

  @Override
  public void admit() {
    ChannelHandlerContext own = context;
    if (own == null || state != State.WAITING) {
      throw new IllegalStateException("the start of " + name() + " does not wait");
    }
    state = State.HANDSHAKE;
    SslHandler handler;
    try {
      handler = tls.credentials().serverHandler(channel.alloc(), this::run);
    } catch (RuntimeException e) {
      log.warn("closed " + name() + ": its TLS handshake cannot be started", e);
      Sockets.close(channel);
      return;
    }
    handler.setHandshakeTimeoutMillis(0); // this object's own deadline
    handler.setCloseNotifyFlushTimeoutMillis(Sockets.CLOSE_NOTIFY_MILLIS);
    channel.pipeline().addBefore(own.name(), null, new LingeringClose());
    channel.pipeline().addBefore(own.name(), null, handler);
    endAfter(Math.min(HANDSHAKE_MILLIS, left().toMillis()));
    channel.config().setAutoRead(true);
    replay();
  }

  /** Runs a step of the handshake on another thread; none for a client that has gone. */
  private void run(Runnable step) {
    tls.tasks()
        .execute(
            () -> {
              if (channel.isActive()) {
                step.run();
              }
            });
  }

  /** Gives the bytes that waited to the handlers behind the socket. */
  private void replay() {
    ByteBuf bytes = held;
    held = null;
    if (bytes != null) {
      channel.pipeline().fireChannelRead(bytes);
      channel.pipeline().fireChannelReadComplete();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (state != State.HANDSHAKE || !(event instanceof SslHandshakeCompletionEvent end)) {
      context.fireUserEventTriggered(event);
      return;
    }
    if (!end.isSuccess()) {
      fail(end.cause()); // the handler of TLS sends an alert, and closes
      return;
    }
    try {
      TlsPeer client = tls.credentials().client(channel.pipeline().get(SslHandler.class).engine());
      handOver(context, AcceptedConnection.encrypted(origin, left(), client));
      tls.gate().ended(this, true);
    } catch (SSLException refused) {
      fail(refused);
      Sockets.close(channel);
    }
  }

  private void fail(Throwable failure) {
    state = State.OVER;
    log.warn("closed " + name() + ": its TLS handshake failed: " + TlsErrors.describe(failure));
    tls.gate().ended(this, false);
  }

  private void handOver(ChannelHandlerContext context, AcceptedConnection accepted) {
    state = State.OVER;
    ServerConnection connection = takeover.connection(accepted);
    channel.pipeline().addAfter(context.name(), null, connection);
    context.fireChannelActive();
    ByteBuf bytes = held;
    held = null;
    if (bytes != null) {
      context.fireChannelRead(bytes);
    }
    channel.pipeline().remove(this);
    if (channel.pipeline().get(LingeringClose.class) != null) {
      channel.pipeline().remove(LingeringClose.class);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    State before = state;
    state = State.OVER;
    if (before == State.WAITING) {
      tls.gate().abandon(this);
    } else if (before == State.HANDSHAKE) {
      tls.gate().ended(this, false);
    }
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ByteBuf bytes = held;
    held = null;
    if (bytes != null) {
      bytes.release();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (state != State.OVER) {
      log.warn("closed " + name() + " at its beginning: " + TlsErrors.describe(cause));
    }
    Sockets.closeOnceWritten(channel);
  }

  private String name() {
    return "the connection from " + channel.remoteAddress() + " to " + channel.localAddress();
  }
}
