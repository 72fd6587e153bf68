package corfu.store.http;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.concurrent.CompletableFuture;

/** A way to the servers that holds requests back while a test wants it to. */
final class HeldTransport implements Transport {

  private final Transport transport;
  private volatile CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

  HeldTransport(Transport transport) {
    this.transport = transport;
  }

  /** From now on requests wait. */
  void hold() {
    open = new CompletableFuture<>();
  }

  /** Lets go of all that wait, and of those to come. */
  void release() {
    open.complete(null);
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    Peer peer = transport.peer(endpoint);
    return new Peer() {
      @Override
      public Endpoint endpoint() {
        return endpoint;
      }

      @Override
      public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
        return open.thenCompose(now -> peer.send(request, timeoutNanos));
      }
    };
  }

  @Override
  public void close() {}
}
