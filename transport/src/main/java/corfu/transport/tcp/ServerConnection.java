package corfu.transport.tcp;

import corfu.protocol.message.Failure;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.MalformedFrameException;
import corfu.transport.internal.CountedConnection;
import corfu.transport.internal.tls.TlsErrors;
import corfu.transport.internal.tls.TlsFirstBytes;
import corfu.transport.tcp.AcceptedConnection.Protection;
import corfu.transport.tcp.FrameAssembler.FrameBytes;
import corfu.transport.tcp.FrameAssembler.UnreadableFrameException;
import corfu.transport.tls.TlsPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, on the server's side. Lives on the server's loop.
 *
 * <pre>
 *   NEW --Hello--> GREETED --Welcome--> OPEN --malformed frame--> ENDING --all written--> CLOSED
 *                     +------any other reply---------------------->+
 * </pre>
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {

  /** The largest buffer for a request whose bytes have not arrived yet. */
  private static final int FIRST_CAPACITY = 256 << 10;

  /** The number of bytes that are sent before the end of the turn, when more replies may follow. */
  private static final int SENT_AT_ONCE = 128 << 10;

  /** The time in which a client can read why its connection ends, and close it. */
  private static final long ENDING_MILLIS = 1_000;

  private static final String TLS_IS_OFF =
      "the client speaks TLS, which is off at this server: set `tls` of both to the same value";

  private static final String TLS_IS_REQUIRED =
      "this server requires TLS: set `tls` of the client to \"required\" or \"optional\"";

  private enum State {
    NEW,
    GREETED,
    OPEN,
    ENDING,
    CLOSED
  }

  private final Channel channel;
  private final AcceptedConnection accepted;
  private final ServerTurn turn;
  private final TcpServerOptions options;
  private final RareLog log;
  private final CountedConnection counted;
  private final FrameAssembler assembler;
  private final OutboundBatch replies;

  private State state = State.NEW;

  /** The schema version that both sides have agreed on. */
  private int version = FrameCodec.OLDEST_VERSION;

  private int unanswered;
  private boolean flushRequested;

  /** Whether the socket has not accepted all handed-over bytes. The next replies gather here. */
  private boolean draining;

  /** The memory of bytes that were handed over and that the socket has not accepted. */
  private long leaving;

  /** The connection's share in the account of unread replies. */
  private long accounted;

  /** The client's hello if the server did not know its own cluster at that time. */
  private @Nullable Hello unsettled;

  ServerConnection(
      Channel channel,
      AcceptedConnection accepted,
      ServerTurn turn,
      TcpServerOptions options,
      RareLog log) {
    this.channel = channel;
    this.accepted = accepted;
    this.turn = turn;
    this.options = options;
    this.log = log;
    this.counted = new CountedConnection(turn.handler(), accepted.origin());
    this.assembler =
        new FrameAssembler(
            channel.alloc(), options.limits().maxFrameBytes(), FIRST_CAPACITY, turn.held());
    this.replies = new OutboundBatch(channel.alloc());
    if (accepted.protection() == Protection.PLAIN) {
      channel.config().setRecvByteBufAllocator(new FrameReceiver(assembler));
    }
  }

  /** Returns the client by its certificate; without TLS anonymous. */
  TlsPeer client() {
    return accepted.client();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Sockets.after(
        accepted.welcomeIn().toMillis(),
        channel.eventLoop(),
        () -> {
          if (state == State.NEW || state == State.GREETED) {
            log.warn("closed " + name() + ": no handshake in " + options.handshakeDeadline());
            Sockets.close(channel);
          }
        });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    if (state == State.ENDING || state == State.CLOSED) {
      read.release();
      return;
    }
    if (state == State.NEW
        && accepted.protection() == Protection.PLAIN
        && assembler.heldBytes() == 0
        && TlsFirstBytes.isTls(read)) {
      read.release();
      refuse(0, new Failure.Refused(Failure.Cause.MALFORMED, TLS_IS_OFF));
      return;
    }
    assembler.add(read);
    work();
  }

  /** Handles requests until there are no more, or until a bound is reached. */
  private void work() {
    try {
      while (isReading() && !isFull()) {
        FrameBytes frame = assembler.next();
        if (frame == null) {
          break;
        }
        take(frame);
      }
    } catch (UnreadableFrameException e) {
      refuse(e.requestId(), e.failure());
    }
    if (isReading()) {
      channel.config().setAutoRead(!isFull());
    }
  }

  private boolean isReading() {
    return state != State.ENDING && state != State.CLOSED;
  }

  /**
   * Returns whether a bound is reached. Later replies, or the client's reading, bring the
   * connection below it again.
   */
  private boolean isFull() {
    return !channel.isWritable()
        || replies.position() >= options.maxUnwrittenBytes()
        || unanswered >= options.maxUnansweredRequests()
        || (unanswered > 0 && assembler.heldBytes() >= options.maxUnansweredBytes())
        || turn.unread().mustWait(this);
  }

  private void take(FrameBytes bytes) {
    ByteBuffer view = bytes.view();
    Frame frame;
    try {
      frame = FrameCodec.decode(view);
    } catch (MalformedFrameException e) {
      long requestId =
          version == FrameCodec.OLDEST_VERSION
              ? FrameCodec.requestId(view)
              : FrameCodec.provenRequestId(view);
      bytes.release();
      refuse(requestId, new Failure.Refused(e.kind(), String.valueOf(e.getMessage())));
      return;
    }
    unanswered++;
    Exchange exchange = new Exchange(frame.requestId(), bytes);
    switch (frame.message()) {
      case Hello hello -> greet(hello, exchange);
      case Message message when state == State.OPEN && frame.version() != version ->
          exchange.refuse(
              Failure.Cause.UNSUPPORTED_VERSION,
              "a frame of version "
                  + frame.version()
                  + " on a connection whose sides have agreed on "
                  + version);
      case Request request when state == State.OPEN && turn.held().isExhausted() ->
          exchange.accept(
              new Failure.Overloaded("the requests of its clients occupy " + turn.held()));
      case Request request when state == State.OPEN -> {
        Hello again = unsettled;
        if (again == null) {
          hand(request, exchange, exchange);
        } else {
          settle(again, request, exchange);
        }
      }
      case Request request ->
          exchange.refuse(
              Failure.Cause.MALFORMED,
              "the first message on a connection is Hello, and its reply is waited for");
      case Reply reply ->
          exchange.refuse(Failure.Cause.MALFORMED, "a reply, where only requests belong");
    }
  }

  private void hand(Request request, Exchange exchange, Consumer<Reply> answer) {
    turn.requestTaken();
    try {
      turn.handler().handle(request, accepted.origin(), answer);
    } catch (RuntimeException | Error e) {
      log.warn("the server failed at " + request.getClass().getSimpleName() + " of " + name(), e);
      if (!exchange.answered) {
        answer.accept(new Failure.Broken("the server failed at it: " + e));
      }
      exchange.abandoned = true;
    }
  }

  private void greet(Hello hello, Exchange exchange) {
    if (accepted.protection() == Protection.REFUSED) {
      exchange.refuse(Failure.Cause.MALFORMED, TLS_IS_REQUIRED);
      return;
    }
    Optional<Failure> objection = counted.begin();
    if (objection.isPresent()) {
      exchange.acceptIn(FrameCodec.OLDEST_VERSION, objection.get());
      end();
      return;
    }
    state = state == State.NEW ? State.GREETED : state;
    hand(
        hello,
        exchange,
        reply -> {
          exchange.acceptIn(FrameCodec.OLDEST_VERSION, reply);
          if (reply instanceof Welcome welcome) {
            version = welcome.version();
            state = state == State.GREETED ? State.OPEN : state;
            unsettled = welcome.cluster().isPresent() ? null : hello;
          } else {
            end();
          }
        });
  }

  /**
   * Checks the client's cluster again, because the server may have joined a cluster since the
   * client named its own.
   */
  private void settle(Hello hello, Request request, Exchange exchange) {
    hand(
        hello,
        exchange,
        reply -> {
          if (reply instanceof Welcome welcome) {
            unsettled = welcome.cluster().isPresent() ? null : hello;
            hand(request, exchange, exchange);
          } else {
            exchange.accept(reply);
            end();
          }
        });
  }

  private void refuse(long requestId, Failure failure) {
    log.warn("closed " + name() + ": " + failure);
    write(requestId, version, failure);
    end();
  }

  private void write(long requestId, int as, Reply reply) {
    if (!isReading()) {
      return;
    }
    try {
      int maxBytes = options.limits().maxFrameBytes();
      int length = replies.add(reply, requestId, as, maxBytes);
      if (length > maxBytes) {
        String reason = "the reply has " + length + " bytes; the limit is " + maxBytes;
        log.warn("a reply to " + name() + " was not sent: " + reason);
        replies.add(new Failure.Broken(reason), requestId, as, maxBytes);
      }
    } catch (RuntimeException e) {
      log.warn("a reply to " + name() + " cannot be written", e);
      replies.add(
          new Failure.Broken("the reply cannot be written"),
          requestId,
          as,
          options.limits().maxFrameBytes());
    }
    if (draining) {
      account(); // before the next request is handled
    } else if (replies.position() >= SENT_AT_ONCE) {
      handOver(); // the client processes it while the next reply is made
    }
    requestFlush();
  }

  private void requestFlush() {
    if (!flushRequested) {
      flushRequested = true;
      turn.replyWritten(this);
    }
  }

  /** Sends the replies written since the last flush. */
  void flush() {
    flushRequested = false;
    if (state == State.CLOSED) {
      return;
    }
    if (!draining || state == State.ENDING) {
      handOver();
    }
    account();
    if (state == State.ENDING) {
      Sockets.shutdownOutput(channel);
      Sockets.after(ENDING_MILLIS, channel.eventLoop(), () -> Sockets.close(channel));
    } else {
      mayResume();
    }
  }

  /**
   * Hands replies over only if the socket accepts them. Otherwise they would fill further buffers
   * that are nearly empty at times.
   */
  private void handOver() {
    leaving += replies.heldBytes();
    replies.flushTo(channel);
    if (Sockets.isDrained(channel)) {
      leaving = 0;
    } else if (!draining) {
      draining = true;
      Sockets.onceDrained(channel, this::drained);
    }
  }

  private void drained() {
    draining = false;
    leaving = 0;
    account();
    if (!replies.isEmpty() && state != State.CLOSED) {
      requestFlush();
    }
    mayResume();
  }

  private void account() {
    long now = state == State.CLOSED ? 0 : replies.heldBytes() + leaving;
    if (now != accounted) {
      accounted = now;
      turn.unread().holds(this, now);
    }
  }

  /** Closes the connection because its memory is needed. The client loses its pending replies. */
  void sendAway(String reason) {
    log.warn("closed " + name() + ": " + reason);
    state = State.CLOSED;
    forgetAll();
    Sockets.close(channel);
  }

  private void forgetAll() {
    assembler.close();
    replies.clear();
    accounted = 0;
    turn.unread().forget(this);
  }

  /** Returns the number of handed-over bytes that the client's machine has not accepted. */
  long unsentBytes() {
    return Sockets.unsentBytes(channel);
  }

  void mayResume() {
    if (isReading() && !channel.config().isAutoRead() && !isFull()) {
      turn.mayResume(this);
    }
  }

  /** Continues to read. */
  void resume() {
    if (isReading()) {
      work();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    mayResume();
  }

  /**
   * Lets the client read the written replies, then closes the connection. Closing while its
   * requests still arrive would lose the last replies.
   */
  private void end() {
    if (!isReading()) {
      return;
    }
    state = State.ENDING;
    assembler.close();
    channel.config().setAutoRead(true);
    requestFlush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    state = State.CLOSED;
    forgetAll();
    counted.end();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof DecoderException) {
      log.warn("closed " + name() + ": " + TlsErrors.describe(cause));
    } else if (!(cause instanceof IOException)) {
      log.warn("closed " + name() + " because of a failure", cause);
    }
    Sockets.close(channel);
  }

  private String name() {
    return "the connection from " + channel.remoteAddress() + " to " + channel.localAddress();
  }

  /** One request and its reply. The request's bytes stay valid until the reply has been written. */
  private final class Exchange implements Consumer<Reply> {

    private final long requestId;
    private final FrameBytes bytes;
    private boolean answered;

    /** Whether the handler failed and another answer was sent; the handler may not have noticed. */
    private boolean abandoned;

    private Exchange(long requestId, FrameBytes bytes) {
      this.requestId = requestId;
      this.bytes = bytes;
    }

    @Override
    public void accept(Reply reply) {
      acceptIn(version, reply);
    }

    private void acceptIn(int as, Reply reply) {
      if (!channel.eventLoop().inEventLoop()) {
        throw new IllegalStateException("a reply belongs on its server's loop");
      }
      if (abandoned) {
        return;
      }
      if (answered) {
        throw new IllegalStateException("request " + requestId + " of " + name() + " was answered");
      }
      answered = true;
      write(requestId, as, reply);
      forget();
      mayResume();
    }

    private void refuse(Failure.Cause cause, String reason) {
      answered = true;
      forget();
      ServerConnection.this.refuse(requestId, new Failure.Refused(cause, reason));
    }

    private void forget() {
      unanswered--;
      bytes.release();
    }
  }
}
