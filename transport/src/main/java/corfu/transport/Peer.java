package corfu.transport;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A server as a client sees it: many requests may be in flight, each has a deadline. Thread-safe.
 */
public interface Peer {

  Endpoint endpoint();

  /**
   * Sends a request. The future completes exactly once, by the deadline: with the server's reply
   * (which may be a {@link corfu.protocol.message.Failure}), or with a {@link TransportException}
   * that tells whether the server may have acted. It may complete on a thread of the transport's,
   * where nothing must block. Where too much is in flight already, the calling thread waits for
   * room, no longer than the deadline, unless it is a thread of the transport's.
   *
   * @param timeoutNanos 1 or more
   */
  CompletableFuture<Reply> send(Request request, long timeoutNanos);

  /**
   * Sends a request and waits for what becomes of it.
   *
   * @throws TransportException if there is no reply
   */
  default Reply call(Request request, long timeoutNanos) {
    return begin(request, timeoutNanos).await();
  }

  /**
   * Sends a request whose reply the calling thread is going to wait for, perhaps after it has begun
   * others with other servers.
   */
  default Exchange begin(Request request, long timeoutNanos) {
    return Exchange.of(send(request, timeoutNanos));
  }

  /**
   * Takes a request back that waits for its turn to be sent: it fails with {@link
   * UnreachableException}. One that may have been sent goes on.
   *
   * @param reply what {@link #send} or {@link Exchange#settle} has returned
   * @param why for people: "epoch 7 has replaced that of the request"
   * @return completes when the request has failed, or goes on
   */
  default CompletableFuture<Void> withdraw(CompletableFuture<Reply> reply, String why) {
    return CompletableFuture.completedFuture(null);
  }

  /** A request that has been sent, and its reply. For the thread that has begun it. */
  interface Exchange {

    /**
     * Waits for what becomes of the request. Either this or {@link #settle} is to be called, once,
     * whatever becomes of anything else.
     *
     * @throws TransportException if there is no reply
     */
    Reply await();

    /**
     * Waits for what becomes of the request for a moment only, and only where nobody else would
     * wait: where the reply would have to be handed to the calling thread anyway, this returns at
     * once.
     *
     * @param patienceNanos 1 or more; how long about
     * @return what {@link #send} returns
     */
    CompletableFuture<Reply> settle(long patienceNanos);

    /** One that others carry. */
    static Exchange of(CompletableFuture<Reply> reply) {
      return new Exchange() {
        @Override
        public Reply await() {
          return Peer.await(reply);
        }

        @Override
        public CompletableFuture<Reply> settle(long patienceNanos) {
          return reply;
        }
      };
    }
  }

  /** Waits for the reply to a request that {@link #send} has sent. */
  static Reply await(CompletableFuture<Reply> reply) {
    try {
      return reply.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TransportException failure ? failure : e;
    }
  }
}
