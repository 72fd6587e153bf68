package corfu.sim.world;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.WrongClusterException;
import corfu.transport.internal.FrameSize;
import corfu.transport.internal.Gate;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A server as one simulated process sees it. It behaves like the TCP transport's peer: it has one
 * connection at a time, which begins with a handshake. Deadlines follow the process's own clock.
 * After a failed attempt it does not connect again for a while. It lives on the transport's loop.
 */
final class SimPeer implements Peer {

  private static final long BACKOFF_NANOS_MIN = 5_000_000L;
  private static final long BACKOFF_NANOS_MAX = 500_000_000L;
  private static final long WELCOME_NANOS = 4_000_000_000L;
  private static final long QUIET_NANOS_MAX = 1_000_000_000L;
  private static final long HELLO_ID = 0;

  private final SimTransport transport;
  private final Endpoint endpoint;
  private final Gate gate;
  private final ArrayDeque<Call> pending = new ArrayDeque<>();
  private final Map<Long, Call> sent = new LinkedHashMap<>();
  private Optional<SimConnection> connection = Optional.empty();
  private boolean open;
  private int version = FrameCodec.OLDEST_VERSION;
  private boolean leftAlone;
  private String lastFailure = "";
  private long lastId = HELLO_ID;
  private long quietSinceNanos;
  private boolean owesAnswers;

  /** A request in flight. */
  private static final class Call {
    private final Request request;
    private final int bytes;
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private World.Timer deadline = () -> {};
    private long id;

    private Call(Request request, int bytes) {
      this.request = request;
      this.bytes = bytes;
    }
  }

  SimPeer(SimTransport transport, Endpoint endpoint) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.gate = new Gate(transport.world(), endpoint, transport.options());
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  ProcessLife life() {
    return transport.world().life();
  }

  @Override
  public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
    long deadline = gate.deadline(timeoutNanos);
    if (transport.isClosed()) {
      return CompletableFuture.failedFuture(unreachable("this transport is closed"));
    }
    int bytes = FrameSize.of(request);
    var obstacle = gate.enter(bytes, deadline, transport.loop()::isInside);
    if (obstacle.isPresent()) {
      return CompletableFuture.failedFuture(obstacle.get());
    }
    Call call = new Call(request, bytes);
    transport.loop().execute(() -> take(call, deadline));
    return call.future;
  }

  @Override
  public CompletableFuture<Void> withdraw(CompletableFuture<Reply> reply, String why) {
    CompletableFuture<Void> decided = new CompletableFuture<>();
    transport
        .loop()
        .execute(
            () -> {
              for (Call call : List.copyOf(pending)) {
                if (call.future == reply && pending.remove(call)) {
                  fail(call, unreachable("not sent, for " + why));
                }
              }
              decided.complete(null);
            });
    return decided;
  }

  private void take(Call call, long deadline) {
    long left = Math.max(0, deadline - transport.world().nanoTime());
    call.deadline =
        transport.world().after(left, () -> transport.loop().execute(() -> endLate(call)));
    pending.add(call);
    advance();
  }

  private void advance() {
    if (pending.isEmpty()) {
      return;
    }
    if (connection.isEmpty()) {
      if (leftAlone) {
        failPending(unreachable(lastFailure));
      } else {
        SimConnection fresh = transport.network().connect(this);
        connection = Optional.of(fresh);
        life().after(WELCOME_NANOS, () -> notWelcomed(fresh));
      }
    } else if (open) {
      for (Call call = pending.poll(); call != null; call = pending.poll()) {
        call.id = ++lastId;
        if (sent.isEmpty() && !owesAnswers) {
          quietSinceNanos = transport.world().nanoTime();
        }
        sent.put(call.id, call);
        try {
          connection.get().request(call.request, call.id, version);
        } catch (IllegalArgumentException e) { // the agreed version has no such message
          sent.remove(call.id);
          fail(call, new RequestRefusedException(endpoint, "it has no frame: " + e.getMessage()));
        }
      }
    }
  }

  /** The server's machine has accepted the connection. */
  void connected(SimConnection by) {
    transport
        .loop()
        .execute(
            () -> {
              if (isCurrent(by)) {
                Hello hello =
                    new Hello(
                        FrameCodec.OLDEST_VERSION,
                        transport.network().newestVersionOf(life().process()),
                        transport.cluster());
                by.request(hello, HELLO_ID, FrameCodec.OLDEST_VERSION);
              }
            });
  }

  private void notWelcomed(SimConnection by) {
    transport
        .loop()
        .execute(
            () -> {
              if (isCurrent(by) && !open) {
                by.clientGone();
                end(unreachable("it does not take the connection, or answer the handshake"), true);
              }
            });
  }

  void arrived(SimConnection by, ByteBuffer bytes) {
    transport
        .loop()
        .execute(
            () -> {
              if (isCurrent(by)) {
                quietSinceNanos = transport.world().nanoTime();
                owesAnswers = false;
                take(by, FrameCodec.decode(bytes));
              }
            });
  }

  void ended(SimConnection by, String reason) {
    transport
        .loop()
        .execute(
            () -> {
              if (isCurrent(by)) {
                end(unreachable(reason), !open);
              }
            });
  }

  private boolean isCurrent(SimConnection other) {
    return connection.isPresent() && connection.get() == other;
  }

  private void take(SimConnection by, Frame frame) {
    Reply reply = (Reply) frame.message();
    if (frame.requestId() != HELLO_ID) {
      Call call = sent.remove(frame.requestId());
      if (call != null) { // otherwise it was too late
        leave(call);
        call.future.complete(reply);
      }
    } else if (reply instanceof Welcome welcome) {
      version = welcome.version();
      open = true;
      advance();
    } else {
      by.clientGone();
      boolean wrong = reply instanceof Failure.WrongCluster && transport.cluster().isPresent();
      end(
          wrong
              ? new WrongClusterException(
                  endpoint, transport.cluster().get(), ((Failure.WrongCluster) reply).actual())
              : unreachable("it answered the handshake with " + reply),
          true);
    }
  }

  private void end(TransportException reason, boolean inVain) {
    connection = Optional.empty();
    open = false;
    owesAnswers = false;
    if (inVain) {
      leaveAlone(String.valueOf(reason.getMessage()));
    }
    List<Call> lost = new ArrayList<>(sent.values());
    sent.clear();
    String why = "the connection was lost: " + reason.getMessage();
    lost.forEach(call -> fail(call, new NoReplyException(endpoint, why)));
    failPending(reason);
  }

  private void leaveAlone(String reason) {
    leftAlone = true;
    lastFailure = reason;
    long nanos = transport.world().chance().mostlyNear(BACKOFF_NANOS_MIN, BACKOFF_NANOS_MAX);
    life().after(nanos, () -> leftAlone = false);
  }

  private void failPending(TransportException reason) {
    for (Call call = pending.poll(); call != null; call = pending.poll()) {
      fail(call, reason);
    }
  }

  private void endLate(Call call) {
    if (pending.remove(call)) {
      fail(call, unreachable("not sent by its deadline"));
    } else if (sent.remove(call.id, call)) {
      fail(call, new NoReplyException(endpoint, "its deadline has come"));
      giveUpIfQuiet();
    }
  }

  private void giveUpIfQuiet() {
    owesAnswers = true;
    long quiet = transport.world().nanoTime() - quietSinceNanos;
    if (open && quiet >= QUIET_NANOS_MAX) {
      connection.ifPresent(SimConnection::clientGone);
      end(unreachable("nothing has come from it for too long"), false);
    }
  }

  private void fail(Call call, TransportException failure) {
    leave(call);
    call.future.completeExceptionally(failure);
  }

  private void leave(Call call) {
    call.deadline.cancel();
    gate.leave(call.bytes);
  }

  private UnreachableException unreachable(String reason) {
    return new UnreachableException(endpoint, reason);
  }

  /** Closes the peer with its transport. */
  void close() {
    connection.ifPresent(SimConnection::clientGone);
    end(unreachable("this transport is closed"), false);
  }
}
