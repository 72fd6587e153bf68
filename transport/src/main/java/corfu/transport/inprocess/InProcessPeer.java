package corfu.transport.inprocess;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.UnreachableException;
import corfu.transport.internal.FrameSize;
import corfu.transport.internal.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A server as one client sees it. The server may be absent, or may have been replaced by another
 * one.
 */
final class InProcessPeer implements Peer {

  private final InProcessTransport transport;
  private final Endpoint endpoint;
  private final Gate gate;
  private final AtomicReference<@Nullable Session> session = new AtomicReference<>();

  InProcessPeer(InProcessTransport transport, Endpoint endpoint) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.gate = new Gate(transport.network().world(), endpoint, transport.options());
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
    long deadline = gate.deadline(timeoutNanos);
    if (transport.isClosed()) {
      return unreachable("this transport is closed");
    }
    if (transport.network().server(endpoint) == null) {
      return unreachable("no server of this process listens there");
    }
    int bytes = FrameSize.of(request);
    var obstacle = gate.enter(bytes, deadline, transport.network()::isOnThreadOfMine);
    if (obstacle.isPresent()) {
      return CompletableFuture.failedFuture(obstacle.get());
    }
    InProcessServer server = transport.network().server(endpoint);
    if (server == null) {
      gate.leave(bytes);
      return unreachable("its server has stopped");
    }
    Call call = new Call(this, request, bytes, deadline);
    server.submit(sessionWith(server), call);
    return call.future();
  }

  private CompletableFuture<Reply> unreachable(String reason) {
    return CompletableFuture.failedFuture(new UnreachableException(endpoint, reason));
  }

  private Session sessionWith(InProcessServer server) {
    while (true) {
      Session known = session.get();
      if (known != null && known.isWith(server)) {
        return known;
      }
      Session fresh = new Session(this, server);
      if (session.compareAndSet(known, fresh)) {
        return fresh;
      }
    }
  }

  /** Ends the use of a session: the next request begins another one. */
  void forget(Session over) {
    session.compareAndSet(over, null);
  }

  void left(int bytes) {
    gate.leave(bytes);
  }

  InProcessTransport transport() {
    return transport;
  }
}
