package corfu.nbd.internal.server;

import corfu.nbd.internal.session.ClientLink;
import corfu.nbd.internal.session.DeviceCalls;
import corfu.nbd.internal.session.NbdSession;
import corfu.nbd.internal.session.SessionContext;
import corfu.nbd.internal.tls.TlsProvider;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection: feeds the session with what arrives, and sends what it replies. */
final class NbdChannel extends ChannelInboundHandlerAdapter implements ClientLink {

  /** Smaller data are copied behind their header, which costs less than a buffer of their own. */
  private static final int COPIED_BYTES = 16 << 10;

  private static final int OUT_BYTES = 16 << 10;

  /** A buffer with more bytes is passed on, and another one is begun. */
  private static final int FULL_OUT_BYTES = 128 << 10;

  private final Channel channel;
  private final LoopTurn turn;
  private final SessionContext context;
  private final TlsProvider tls;
  private final String client;
  private @Nullable NbdSession session;

  /** Received bytes that the session has not processed. */
  private ByteBuf received = Unpooled.EMPTY_BUFFER;

  private @Nullable ByteBuf out;
  private boolean isFlushPending;
  private int replies;
  private long replyBytes;

  private boolean isProcessing;
  private boolean isToProcessAgain;
  private boolean isTlsStarting;
  private boolean isClosing;
  private boolean isEnded;

  NbdChannel(
      Channel channel, LoopTurn turn, SessionContext context, TlsProvider tls, String client) {
    this.channel = channel;
    this.turn = turn;
    this.context = context;
    this.tls = tls;
    this.client = client;
  }

  LoopTurn turn() {
    return turn;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    session = new NbdSession(context, new GuardedCalls(), this);
    turn.flush();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (isClosing || isEnded) {
      bytes.release();
      return;
    }
    received =
        received.isReadable()
            ? ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), received, bytes)
            : replaced(bytes);
    process();
  }

  private ByteBuf replaced(ByteBuf bytes) {
    received.release();
    return bytes;
  }

  /** Closes the connection if the session fails in a turn that a device has caused. */
  private final class GuardedCalls implements DeviceCalls {

    @Override
    public <T extends @Nullable Object> void deliver(
        CompletableFuture<T> future, Receiver<T> receiver) {
      turn.<T>deliver(future, (value, failure) -> guard(() -> receiver.receive(value, failure)));
    }

    @Override
    public void run(Runnable task) {
      turn.run(() -> guard(task));
    }

    private void guard(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException failure) {
        context.log().error("closed the connection of NBD client " + client, failure);
        closeNow();
      }
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    turn.flush();
  }

  private void process() {
    NbdSession current = session;
    if (current == null || isEnded) {
      return;
    }
    if (isProcessing) {
      isToProcessAgain = true;
      return;
    }
    isProcessing = true;
    try {
      do {
        isToProcessAgain = false;
        current.process(received);
      } while (isToProcessAgain);
    } finally {
      isProcessing = false;
    }
    if (isTlsStarting) {
      secure();
    }
    if (!received.isReadable()) {
      received = replaced(Unpooled.EMPTY_BUFFER);
    }
    boolean reads = !current.isBlocked() || isTlsHandshake();
    channel.config().setAutoRead(reads);
  }

  private boolean isTlsHandshake() {
    NbdSession current = session;
    return current != null && !current.isInTransmission() && tls.isHandshake(channel);
  }

  /** Puts TLS in front. Drops bytes that the client has sent behind STARTTLS in the clear. */
  private void secure() {
    isTlsStarting = false;
    if (received.isReadable()) {
      context
          .log()
          .warn(
              "dropped %d bytes that NBD client %s has sent in the clear behind STARTTLS"
                  .formatted(received.readableBytes(), client));
      received.skipBytes(received.readableBytes());
    }
    sendOut();
    channel.pipeline().addFirst(tls.newHandler(channel.alloc()));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      NbdSession current = session;
      if (handshake.isSuccess() && current != null) {
        current.secured();
        turn.flush();
      } else if (!isEnded) {
        context.log().warn("TLS with NBD client " + client + " failed: " + handshake.cause());
        closeNow();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    end();
  }

  private void end() {
    if (isEnded) {
      return;
    }
    isEnded = true;
    NbdSession current = session;
    if (current != null) {
      current.end();
      if (current.isInTransmission()) {
        context.log().info("ended " + current.description());
      }
    }
    received = replaced(Unpooled.EMPTY_BUFFER);
    sendOut(); // fails, and tells the session so
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    boolean isDecoded = cause instanceof DecoderException && cause.getCause() != null;
    Throwable known = isDecoded ? cause.getCause() : cause; // TLS fails while it decodes
    if (!isEnded && !(known instanceof IOException)) {
      context.log().error("closed the connection of NBD client " + client, cause);
    }
    closeNow();
  }

  @Override
  public ByteBuf out() {
    ByteBuf current = out;
    if (current != null && current.readableBytes() > FULL_OUT_BYTES) {
      pass(current);
      current = null;
    }
    if (current == null) {
      current = channel.alloc().directBuffer(OUT_BYTES);
      out = current;
      flushLater();
    }
    return current;
  }

  private void flushLater() {
    if (!isFlushPending) {
      isFlushPending = true;
      turn.flushLater(this::sendOut);
    }
  }

  @Override
  public ByteBuf buffer(int bytes) {
    return channel.alloc().directBuffer(bytes, bytes);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel
  public void send(ByteBuf data) {
    if (data.readableBytes() < COPIED_BYTES) {
      out().writeBytes(data);
      data.release();
      return;
    }
    ByteBuf before = out;
    if (before != null) {
      pass(before);
      out = null;
    }
    flushLater();
    channel.write(data, channel.voidPromise());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel
  private void pass(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  @Override
  public void replied(long bytes) {
    replies++;
    replyBytes += bytes;
  }

  /** Sends the turn's replies. */
  @SuppressWarnings("FutureReturnValueIgnored") // the promise has a listener
  private void sendOut() {
    isFlushPending = false;
    ByteBuf last = out;
    out = null;
    if (replies == 0) {
      if (last != null) {
        pass(last);
      }
      channel.flush();
      return;
    }
    int count = replies;
    long bytes = replyBytes;
    replies = 0;
    replyBytes = 0;
    ChannelPromise accepted = channel.newPromise();
    accepted.addListener(
        done -> {
          if (!done.isSuccess()) {
            closeNow();
          }
          NbdSession current = session;
          if (current != null) {
            current.sent(count, bytes);
          }
        });
    channel.writeAndFlush(last == null ? Unpooled.EMPTY_BUFFER : last, accepted);
  }

  @Override
  public void startTls() {
    isTlsStarting = true;
  }

  @Override
  public void proceed() {
    process();
  }

  @Override
  public void close() {
    isClosing = true;
    sendOut();
    closeNow();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel
  void closeNow() {
    isClosing = true;
    channel.close();
  }

  @Override
  public String client() {
    return client;
  }

  /** Ends a handshake that takes too long. */
  void endHandshake() {
    NbdSession current = session;
    if (!isEnded && (current == null || !current.isInTransmission())) {
      context.log().warn("closed the connection of NBD client " + client + ": it opens no export");
      closeNow();
    }
  }

  /** Closes a connection that holds memory for a client that does nothing. */
  void closeIfStalled(long stallNanos) {
    NbdSession current = session;
    if (!isEnded && current != null && current.stalledNanos() >= stallNanos) {
      context.log().warn("closed " + current.description() + ": it stalls, and others need memory");
      closeNow();
    }
  }

  /** Lets requests in flight end, then closes. */
  void stop() {
    NbdSession current = session;
    if (current == null) {
      closeNow();
    } else if (!isEnded) {
      current.stop();
    }
  }
}
