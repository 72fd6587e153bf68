package corfu.runtime.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.transport.UnreachableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transport on which a test decides the fate of each request. */
public final class FaultyWay implements Transport {

  /** The fate of a request. */
  public enum Fate {
    ARRIVES,
    /** The request is not sent, and the client knows it. */
    IS_NOT_SENT,
    /** The request is lost, and the client cannot know it. */
    IS_LOST,
    /** A write of several entries arrives, but one bit of the first entry is flipped. */
    FIRST_ENTRY_IS_DAMAGED,
    /** The request arrives, but its reply is lost. */
    REPLY_IS_LOST
  }

  /** Decides on each request; called on the thread that sends it. */
  @FunctionalInterface
  public interface Plan {
    Fate of(Endpoint server, Request request);
  }

  private final Transport transport;
  private volatile Plan plan = (server, request) -> Fate.ARRIVES;

  public FaultyWay(Transport transport) {
    this.transport = transport;
  }

  /** Decides on requests from now on. */
  public void plan(Plan next) {
    plan = next;
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
        return switch (plan.of(endpoint, request)) {
          case ARRIVES -> peer.send(request, timeoutNanos);
          case IS_NOT_SENT ->
              CompletableFuture.failedFuture(new UnreachableException(endpoint, "cut"));
          case IS_LOST -> CompletableFuture.failedFuture(new NoReplyException(endpoint, "lost"));
          case FIRST_ENTRY_IS_DAMAGED -> peer.send(damaged(request), timeoutNanos);
          case REPLY_IS_LOST -> {
            CompletableFuture<Reply> lost = new CompletableFuture<>();
            var unused =
                peer.send(request, timeoutNanos)
                    .whenComplete(
                        (reply, failure) ->
                            lost.completeExceptionally(
                                new NoReplyException(endpoint, "reply lost")));
            yield lost;
          }
        };
      }
    };
  }

  private static Request damaged(Request request) {
    if (!(request instanceof LogUnitRequest.Write write) || write.entries().size() < 2) {
      return request;
    }
    List<Entry> entries = new ArrayList<>(write.entries());
    ByteBuffer first = entries.getFirst().bytes();
    ByteBuffer copy = ByteBuffer.allocate(first.remaining()).order(first.order());
    copy.put(first).flip();
    int last = copy.limit() - 1;
    copy.put(last, (byte) (copy.get(last) ^ 1));
    entries.set(0, Entry.wrap(copy));
    return new LogUnitRequest.Write(write.epoch(), entries, write.seals());
  }

  @Override
  public void close() {}
}
