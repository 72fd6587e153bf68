package corfu.transport.tcp;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.internal.FrameSize;
import corfu.transport.internal.Gate;
import corfu.transport.internal.NetworkErrors;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsPeer;
import corfu.world.World;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server as its clients see it. Senders on any thread put their calls into {@link #arrivals}.
 * Everything else lives on the transport's loop, which handles all gathered calls at once.
 */
final class TcpPeer implements Peer {

  private final TcpTransport transport;
  private final World world;
  private final Endpoint endpoint;
  private final Gate gate;
  private final Queue<PendingCall> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean takingScheduled = new AtomicBoolean();
  private final Runnable taking = this::takeArrivals;

  /** The calls that have not been sent, in order. */
  private final ArrayDeque<PendingCall> pending = new ArrayDeque<>();

  private final DeadlineTimer sweep;
  private final Backoff backoff;
  private final LoneCalls loneCalls;
  private @Nullable ClientConnection connection;

  /** The server's proof in its newest TLS handshake; written on the loop. */
  private volatile Optional<TlsPeer> certificate = Optional.empty();

  /** Whether the server has shown that it has no TLS, which the mode allows. */
  private boolean isPlain;

  TcpPeer(TcpTransport transport, Endpoint endpoint) {
    this.transport = transport;
    this.world = transport.world();
    this.endpoint = endpoint;
    this.gate = new Gate(world, endpoint, transport.options());
    this.sweep = new DeadlineTimer(world, loop(), this::endLate);
    this.backoff = new Backoff(world);
    this.loneCalls = new LoneCalls(this);
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
    long deadline = gate.deadline(timeoutNanos);
    if (transport.isClosed()) {
      return CompletableFuture.failedFuture(closedTransport().get());
    }
    int bytes = FrameSize.of(request);
    var obstacle = gate.enter(bytes, deadline, TcpPeer::isOnEventLoop);
    if (obstacle.isPresent()) {
      return CompletableFuture.failedFuture(obstacle.get());
    }
    PendingCall call = new PendingCall(request, bytes, deadline, new CompletableFuture<>());
    arrivals.add(call);
    if (takingScheduled.compareAndSet(false, true) && !transport.loop().tryExecute(taking)) {
      failArrivals();
    }
    return call.future();
  }

  @Override
  public Exchange begin(Request request, long timeoutNanos) {
    return loneCalls
        .begin(request, gate.deadline(timeoutNanos))
        .orElseGet(() -> Peer.super.begin(request, timeoutNanos));
  }

  @Override
  public CompletableFuture<Void> withdraw(CompletableFuture<Reply> reply, String why) {
    CompletableFuture<Void> decided = new CompletableFuture<>();
    Runnable task =
        () -> {
          withdrawPending(reply, why);
          decided.complete(null);
        };
    if (!transport.loop().tryExecute(task)) {
      decided.complete(null); // the transport is closed, which ends all requests
    }
    return decided;
  }

  private void withdrawPending(CompletableFuture<Reply> reply, String why) {
    for (Iterator<PendingCall> calls = pending.iterator(); calls.hasNext(); ) {
      PendingCall call = calls.next();
      if (call.future() == reply) {
        calls.remove();
        fail(call, new UnreachableException(endpoint, "not sent, for " + why));
      }
    }
  }

  private static boolean isOnEventLoop() {
    return Thread.currentThread() instanceof FastThreadLocalThread;
  }

  private void takeArrivals() {
    takingScheduled.set(false);
    if (transport.isClosed()) {
      failArrivals();
      return;
    }
    for (PendingCall call = arrivals.poll(); call != null; call = arrivals.poll()) {
      pending.add(call);
      sweep.watch(call.deadlineNanos());
    }
    advance();
  }

  /** Sends the calls that the connection accepts, or opens a connection. */
  void advance() {
    if (pending.isEmpty()) {
      return;
    }
    ClientConnection current = connection;
    if (current != null) {
      current.send(pending);
      return;
    }
    Supplier<TransportException> reason = backoff.reason();
    if (reason != null) {
      failPending(reason);
    } else {
      connect();
    }
  }

  private void connect() {
    ClientConnection fresh = new ClientConnection(this, isEncrypted() ? credentials() : null);
    connection = fresh;
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(endpoint.host());
    if (literal != null) {
      connect(fresh, endpoint.host());
      return;
    }
    world.start("corfu-resolve-" + endpoint.host(), () -> connect(fresh, endpoint.host()));
  }

  /**
   * Connects. A lookup of a host name may block, so it must not run on the loop, unless the host is
   * an IP address.
   */
  private void connect(ClientConnection fresh, String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      transport
          .connect(fresh, new InetSocketAddress(address, endpoint.port()))
          .addListener(
              done -> {
                if (!done.isSuccess()) {
                  fresh.end(unreachable(NetworkErrors.describe(done.cause())));
                }
              });
    } catch (UnknownHostException e) {
      transport.loop().execute(() -> fresh.end(unreachable("the name " + host + " is not known")));
    }
  }

  Supplier<TransportException> unreachable(String reason) {
    return () -> new UnreachableException(endpoint, reason);
  }

  private Supplier<TransportException> closedTransport() {
    return unreachable("this transport is closed");
  }

  Optional<TlsPeer> certificate() {
    return certificate;
  }

  /** The server has proved who it is. */
  void proved(TlsPeer server) {
    certificate = Optional.of(server);
  }

  /** The server has welcomed the connection. */
  void welcomed() {
    backoff.succeeded();
    loneCalls.begin(isEncrypted());
    advance();
  }

  /**
   * The connection has ended.
   *
   * @param over the ended connection
   * @param reason the reason for pending calls
   * @param inVain whether the connection was never useful, so that the backoff grows
   */
  void ended(ClientConnection over, Supplier<TransportException> reason, boolean inVain) {
    if (connection != over) {
      return;
    }
    connection = null;
    loneCalls.end();
    if (!isPlain && over.hasMetPlainServer() && credentials().mode() == TlsMode.OPTIONAL) {
      isPlain = true;
      if (!pending.isEmpty() && !transport.isClosed()) {
        connect();
      }
      return;
    }
    isPlain = false; // the next server there may have TLS
    if (inVain) {
      backoff.failed(reason);
    }
    failPending(reason);
  }

  void answer(PendingCall call, Reply reply) {
    gate.leave(call.bytes());
    call.future().complete(reply);
  }

  void fail(PendingCall call, TransportException failure) {
    gate.leave(call.bytes());
    call.future().completeExceptionally(failure);
  }

  void failSent(PendingCall call, String reason) {
    fail(call, new NoReplyException(endpoint, reason));
  }

  private void failPending(Supplier<TransportException> reason) {
    for (PendingCall call = pending.poll(); call != null; call = pending.poll()) {
      fail(call, reason.get());
    }
  }

  private void failArrivals() {
    for (PendingCall call = arrivals.poll(); call != null; call = arrivals.poll()) {
      fail(call, closedTransport().get());
    }
  }

  private long endLate(long now) {
    long earliest = Long.MAX_VALUE;
    for (Iterator<PendingCall> calls = pending.iterator(); calls.hasNext(); ) {
      PendingCall call = calls.next();
      if (call.isLate(now)) {
        calls.remove();
        fail(call, new UnreachableException(endpoint, "not sent by its deadline: " + obstacle()));
      } else {
        earliest = Math.min(earliest, call.deadlineNanos());
      }
    }
    return connection == null ? earliest : Math.min(earliest, connection.endLate(now));
  }

  long nanoTime() {
    return world.nanoTime();
  }

  TlsCredentials credentials() {
    return transport.credentials();
  }

  private boolean isEncrypted() {
    return credentials().mode() != TlsMode.OFF && !isPlain;
  }

  /** Returns whether no request to this server is in flight over the loop. */
  boolean isIdle() {
    return gate.isIdle();
  }

  /** Returns whether no request to any server is in flight over the loop. */
  boolean isLoopIdle() {
    return transport.isIdle();
  }

  /** Runs a task that may block on a thread of its own. */
  void start(String name, Runnable task) {
    world.start(name, task);
  }

  private String obstacle() {
    return connection == null ? "there is no connection" : connection.obstacle();
  }

  /** Fails all calls; called once, when the transport closes. */
  void close() {
    failArrivals();
    loneCalls.end();
    if (connection != null) {
      connection.end(closedTransport());
    }
    failPending(closedTransport());
  }

  Optional<ClusterId> expectedCluster() {
    return transport.cluster();
  }

  EventLoop loop() {
    return transport.loop().eventLoop();
  }

  int maxFrameBytes() {
    return transport.options().limits().maxFrameBytes();
  }
}
