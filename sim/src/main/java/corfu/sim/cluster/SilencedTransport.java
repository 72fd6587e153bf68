package corfu.sim.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * A client's transport to the servers of a {@link SilencedCluster}: after a given number of
 * requests, servers become silent or slow. For the threads of a simulation.
 */
public final class SilencedTransport implements Transport {

  private final World world;
  private final Transport way;
  private int requests;
  private int silentFrom = Integer.MAX_VALUE;
  private Predicate<Endpoint> isSilent = server -> false;
  private int slowFrom = Integer.MAX_VALUE;
  private Duration delay = Duration.ZERO;

  public SilencedTransport(World world, Transport way) {
    this.world = world;
    this.way = way;
  }

  /** Returns how many requests the client has sent so far. */
  public int requests() {
    return requests;
  }

  /** Silences servers: they receive nothing after this number of further requests. */
  public void silence(int more, Predicate<Endpoint> servers) {
    silentFrom = requests + more;
    isSilent = servers;
  }

  /** Delays all replies after this number of further requests. */
  public void slow(int more, Duration late) {
    slowFrom = requests + more;
    delay = late;
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    Peer peer = way.peer(endpoint);
    return new Peer() {
      @Override
      public Endpoint endpoint() {
        return endpoint;
      }

      @Override
      public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
        int number = requests++;
        if (number >= silentFrom && isSilent.test(endpoint)) {
          return over(new CompletableFuture<>(), endpoint, timeoutNanos);
        }
        CompletableFuture<Reply> reply = peer.send(request, timeoutNanos);
        return number >= slowFrom ? late(reply, endpoint, timeoutNanos) : reply;
      }
    };
  }

  private CompletableFuture<Reply> late(
      CompletableFuture<Reply> reply, Endpoint endpoint, long timeoutNanos) {
    CompletableFuture<Reply> told = new CompletableFuture<>();
    var unused =
        reply.whenComplete(
            (answer, failure) ->
                world.after(
                    delay.toNanos(),
                    () -> {
                      if (failure == null) {
                        told.complete(answer);
                      } else {
                        told.completeExceptionally(failure);
                      }
                    }));
    return over(told, endpoint, timeoutNanos);
  }

  private CompletableFuture<Reply> over(
      CompletableFuture<Reply> reply, Endpoint endpoint, long timeoutNanos) {
    var unused =
        world.after(
            timeoutNanos,
            () ->
                reply.completeExceptionally(new NoReplyException(endpoint, "silenced by a test")));
    return reply;
  }

  @Override
  public void close() {
    way.close();
  }
}
