package corfu.transport.tcp;

import corfu.protocol.ClusterId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.MalformedFrameException;
import corfu.transport.RequestRefusedException;
import corfu.transport.TransportException;
import corfu.transport.UntrustedCertificateException;
import corfu.transport.WrongClusterException;
import corfu.transport.internal.NetworkErrors;
import corfu.transport.internal.tls.TlsErrors;
import corfu.transport.tcp.FrameAssembler.FrameBytes;
import corfu.transport.tcp.FrameAssembler.UnreadableFrameException;
import corfu.transport.tls.TlsCredentials;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, with the calls that were sent on it. Lives on the transport's loop.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {

  /**
   * The number of encoded bytes from which on requests go to the kernel, while others are still
   * being encoded.
   */
  private static final int FLUSH_BYTES = 256 << 10;

  /** The largest reply for which memory is allocated at once, before its bytes have arrived. */
  private static final int USUAL_REPLY_BYTES_MAX = 2 << 20;

  private enum State {
    CONNECTING,
    SECURING,
    GREETING,
    OPEN,
    ENDED
  }

  /**
   * The longest silence of a connection with waiting calls. A longer silence ends the connection
   * when one of the calls is late. The server's machine may have been gone for long, and TCP would
   * need minutes to notice.
   */
  static final long QUIET_NANOS_MAX = 1_000_000_000L;

  private final TcpPeer peer;
  private final LongObjectHashMap<PendingCall> sent = new LongObjectHashMap<>();

  private State state = State.CONNECTING;

  /** The schema version that both sides have agreed on. */
  private int version = FrameCodec.OLDEST_VERSION;

  /** The TLS of the connection; null if it is plain. */
  private final @Nullable TlsCredentials tls;

  private boolean metPlainServer;
  private long connectedNanos;
  private @Nullable Wire wire;
  private long lastId;
  private long helloId;
  private boolean everWelcomed;
  private boolean sending;

  /** The start of the present silence: calls wait, and no bytes have arrived since. */
  private long quietSinceNanos;

  /** Whether calls have ended late since the last bytes arrived. */
  private boolean owesAnswers;

  /** The expected cluster that the handshake named. */
  private Optional<ClusterId> told = Optional.empty();

  /** The server's cluster, as far as the server has told it. */
  private Optional<ClusterId> actual = Optional.empty();

  ClientConnection(TcpPeer peer, @Nullable TlsCredentials tls) {
    this.peer = peer;
    this.tls = tls;
  }

  /** The objects that exist while there is a channel. */
  private record Wire(Channel channel, FrameAssembler replies, OutboundBatch requests) {}

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (state != State.CONNECTING) {
      Sockets.close(channel);
      return;
    }
    Wire fresh =
        new Wire(
            channel,
            new FrameAssembler(
                channel.alloc(),
                peer.maxFrameBytes(),
                USUAL_REPLY_BYTES_MAX,
                new HeldMemory(Long.MAX_VALUE)),
            new OutboundBatch(channel.alloc()));
    wire = fresh;
    connectedNanos = peer.nanoTime();
    TlsCredentials credentials = tls;
    if (credentials == null) {
      channel.config().setRecvByteBufAllocator(new FrameReceiver(fresh.replies()));
      greet(fresh);
    } else {
      secure(fresh, credentials);
    }
  }

  private void secure(Wire to, TlsCredentials credentials) {
    state = State.SECURING;
    SslHandler handler = credentials.clientHandler(to.channel.alloc(), peer.endpoint());
    handler.setHandshakeTimeoutMillis(0); // the deadline below
    handler.setCloseNotifyFlushTimeoutMillis(Sockets.CLOSE_NOTIFY_MILLIS);
    Sockets.after(
        TcpTransport.CONNECT_MILLIS,
        peer.loop(),
        () -> {
          if (state == State.SECURING) {
            end(
                peer.unreachable(
                    "it took the connection, but no TLS handshake ended in "
                        + TcpTransport.CONNECT_MILLIS
                        + " ms: check that TLS is on there"));
          }
        });
    to.channel.pipeline().addFirst(handler); // starts the handshake
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    TlsCredentials credentials = tls;
    Wire to = wire;
    if (state != State.SECURING
        || credentials == null
        || to == null
        || !(event instanceof SslHandshakeCompletionEvent done)) {
      return;
    }
    if (!done.isSuccess()) {
      fail(done.cause());
      return;
    }
    try {
      var engine = to.channel.pipeline().get(SslHandler.class).engine();
      peer.proved(credentials.server(engine, peer.endpoint().host()));
      greet(to);
    } catch (SSLException refused) {
      fail(refused);
    }
  }

  /** Returns whether the server answered a TLS handshake with plain bytes. */
  boolean hasMetPlainServer() {
    return metPlainServer;
  }

  private void fail(Throwable cause) {
    metPlainServer = state == State.SECURING && TlsErrors.isPlain(cause);
    String reason = TlsErrors.describe(cause);
    if (tls == null) {
      end(peer.unreachable(NetworkErrors.describe(cause)));
    } else if (metPlainServer) {
      end(
          peer.unreachable(
              "it does not speak TLS, which this client requires: turn on TLS there, or set `tls`"
                  + " of this client to \"optional\" or \"off\""));
    } else if (TlsErrors.isDistrust(cause)) {
      end(untrusted("this client does not accept its certificate: " + reason));
    } else if (TlsErrors.certificateAlert(cause).isPresent()) {
      end(
          untrusted(
              "it does not accept this client's certificate ("
                  + TlsErrors.certificateAlert(cause).get()
                  + "): check that it is valid, and issued by an authority that the server trusts;"
                  + " the server's log has the reason"));
    } else if (state == State.SECURING) {
      end(peer.unreachable("the TLS handshake failed: " + reason));
    } else {
      end(peer.unreachable(reason));
    }
  }

  private Supplier<TransportException> untrusted(String reason) {
    return () -> new UntrustedCertificateException(peer.endpoint(), reason);
  }

  private void greet(Wire to) {
    state = State.GREETING;
    told = peer.expectedCluster();
    long id = ++lastId;
    helloId = id;
    Hello hello = new Hello(FrameCodec.OLDEST_VERSION, FrameCodec.NEWEST_VERSION, told);
    to.requests.add(hello, id, FrameCodec.OLDEST_VERSION, peer.maxFrameBytes());
    to.requests.flushTo(to.channel);
    Sockets.after(
        everWelcomed ? TcpTransport.CONNECT_MILLIS : leftToConnect(),
        peer.loop(),
        () -> {
          if (state == State.GREETING && helloId == id) {
            end(peer.unreachable("it took the connection, but did not answer the handshake"));
          }
        });
  }

  private long leftToConnect() {
    long used = TimeUnit.NANOSECONDS.toMillis(peer.nanoTime() - connectedNanos);
    return Math.max(1, TcpTransport.CONNECT_MILLIS - used);
  }

  /** Sends as many of the calls as the connection accepts for now. */
  void send(ArrayDeque<PendingCall> pending) {
    Wire to = wire;
    if (sending || state != State.OPEN || to == null || !isMeant(to)) {
      return;
    }
    sending = true; // writing may report a change of writability, which would call send() again
    try {
      while (state == State.OPEN && !pending.isEmpty() && to.channel.isWritable()) {
        gather(pending, to.requests);
        to.requests.flushTo(to.channel);
      }
    } finally {
      sending = false;
    }
  }

  private void gather(ArrayDeque<PendingCall> pending, OutboundBatch batch) {
    while (!pending.isEmpty() && batch.position() < FLUSH_BYTES) {
      PendingCall call = pending.remove();
      long id = ++lastId;
      try {
        batch.add(call.request(), id, version, peer.maxFrameBytes());
        if (sent.isEmpty() && !owesAnswers) {
          quietSinceNanos = peer.nanoTime();
        }
        sent.put(id, call);
      } catch (RuntimeException e) {
        peer.fail(call, new RequestRefusedException(peer.endpoint(), "it has no frame: " + e));
      }
    }
  }

  /**
   * Returns whether the server belongs to the expected cluster, or has been asked to check. Starts
   * a handshake or ends the connection otherwise.
   */
  private boolean isMeant(Wire to) {
    Optional<ClusterId> expected = peer.expectedCluster();
    if (expected.isEmpty() || expected.equals(told)) {
      return true;
    }
    if (actual.isEmpty()) {
      greet(to);
      return false;
    }
    if (!actual.equals(expected)) {
      end(wrongCluster(expected.get(), actual.get()));
      return false;
    }
    told = expected;
    return true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    Wire from = wire;
    if (state == State.ENDED || from == null) {
      read.release();
      return;
    }
    quietSinceNanos = peer.nanoTime();
    owesAnswers = false;
    from.replies.add(read);
    try {
      while (state != State.ENDED) {
        FrameBytes bytes = from.replies.next();
        if (bytes == null) {
          return;
        }
        take(decode(bytes));
      }
    } catch (UnreadableFrameException | MalformedFrameException e) {
      end(peer.unreachable("it sent bytes that are no reply: " + e.getMessage()));
    }
  }

  private static Frame decode(FrameBytes bytes) {
    try {
      return FrameCodec.decodeCopying(bytes.view()); // the caller owns a reply's entries
    } finally {
      bytes.release();
    }
  }

  private void take(Frame frame) {
    if (!(frame.message() instanceof Reply reply)) {
      end(peer.unreachable("it sent a request, where only replies belong"));
    } else if (frame.requestId() == helloId) {
      takeWelcome(reply);
    } else if (frame.version() != version) {
      end(peer.unreachable("it sent a frame of version " + frame.version()));
    } else if (frame.requestId() == 0) {
      end(peer.unreachable("it could not read a request: " + reply));
    } else {
      PendingCall call = sent.remove(frame.requestId());
      if (call != null) { // otherwise it was too late
        answer(call, reply);
      }
    }
  }

  private void answer(PendingCall call, Reply reply) {
    if (reply instanceof Failure.WrongCluster wrong && told.isPresent()) {
      Supplier<TransportException> reason = wrongCluster(told.get(), wrong.actual());
      peer.fail(call, reason.get()); // the server joined that cluster after its welcome
      end(reason);
    } else {
      peer.answer(call, reply);
    }
  }

  private void takeWelcome(Reply reply) {
    switch (reply) {
      case Welcome welcome when !speaks(welcome.version()) ->
          end(
              peer.unreachable(
                  "it wants to speak version "
                      + welcome.version()
                      + "; this side speaks "
                      + FrameCodec.OLDEST_VERSION
                      + " to "
                      + FrameCodec.NEWEST_VERSION));
      case Welcome welcome
          when told.isPresent()
              && welcome.cluster().isPresent()
              && !welcome.cluster().equals(told) ->
          end(wrongCluster(told.get(), welcome.cluster().get()));
      case Welcome welcome -> {
        state = State.OPEN;
        version = welcome.version();
        everWelcomed = true;
        actual = welcome.cluster();
        peer.welcomed();
      }
      case Failure.WrongCluster wrong when told.isPresent() ->
          end(wrongCluster(told.get(), wrong.actual()));
      case Failure.Refused refused ->
          end(
              () ->
                  new RequestRefusedException(
                      peer.endpoint(), "it refused the handshake: " + refused.reason()));
      case Failure.Overloaded(var reason) ->
          end(peer.unreachable("it takes no connection of this client now: " + reason));
      default -> end(peer.unreachable("it answered the handshake with " + reply));
    }
  }

  private static boolean speaks(int version) {
    return version >= FrameCodec.OLDEST_VERSION && version <= FrameCodec.NEWEST_VERSION;
  }

  private Supplier<TransportException> wrongCluster(ClusterId expected, ClusterId found) {
    return () -> new WrongClusterException(peer.endpoint(), expected, found);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    peer.advance();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end(peer.unreachable("it closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause);
  }

  /** Closes the connection for this reason. Calls that were sent on it get no reply. */
  void end(Supplier<TransportException> reason) {
    if (state == State.ENDED) {
      return;
    }
    boolean inVain = !everWelcomed || state == State.GREETING;
    boolean sendsAlert = state == State.SECURING;
    state = State.ENDED;
    if (wire != null) {
      Channel channel = wire.channel;
      if (sendsAlert) {
        channel.eventLoop().execute(() -> Sockets.close(channel)); // tells the server why
      } else {
        Sockets.close(channel);
      }
      wire.replies.close();
      wire.requests.clear();
      wire = null;
    }
    List<PendingCall> lost = new ArrayList<>(sent.values());
    sent.clear();
    if (!lost.isEmpty()) {
      String why = "the connection was lost: " + reason.get().getMessage();
      lost.forEach(call -> peer.failSent(call, why));
    }
    peer.ended(this, reason, inVain);
  }

  /**
   * Fails the calls whose deadline has come. Returns the earliest deadline of the others, or {@link
   * Long#MAX_VALUE} if there are none.
   */
  long endLate(long now) {
    long earliest = Long.MAX_VALUE;
    List<Long> late = new ArrayList<>();
    for (var entry : sent.entries()) {
      if (entry.value().isLate(now)) {
        late.add(entry.key());
      } else {
        earliest = Math.min(earliest, entry.value().deadlineNanos());
      }
    }
    for (long id : late) {
      PendingCall call = sent.remove(id);
      if (call != null) {
        peer.failSent(call, "its deadline has come");
      }
    }
    owesAnswers |= !late.isEmpty();
    if (!late.isEmpty() && state == State.OPEN && now - quietSinceNanos >= QUIET_NANOS_MAX) {
      end(peer.unreachable("nothing has come from it for too long"));
    }
    return earliest;
  }

  /** Returns the reason why calls are not being sent. */
  String obstacle() {
    return switch (state) {
      case CONNECTING -> "the connection is not made yet";
      case SECURING -> "the TLS handshake has not ended yet";
      case GREETING -> "the handshake is not answered yet";
      case OPEN -> "the server does not accept earlier requests";
      case ENDED -> "the connection has ended";
    };
  }
}
