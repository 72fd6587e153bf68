package corfu.runtime.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.transport.UnreachableException;
import java.util.concurrent.CompletableFuture;

/** A transport whose requests arrive until it is cut. Thread-safe. */
public final class CutTransport implements Transport {

  private final Transport transport;
  private volatile boolean isCut;

  /** Returns a way to the same servers. */
  public CutTransport(Transport transport) {
    this.transport = transport;
  }

  /** Loses all further requests. */
  public void cut() {
    isCut = true;
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
        return isCut
            ? CompletableFuture.failedFuture(new UnreachableException(endpoint, "cut off"))
            : peer.send(request, timeoutNanos);
      }
    };
  }

  /** The cluster closes the transport. */
  @Override
  public void close() {}
}
