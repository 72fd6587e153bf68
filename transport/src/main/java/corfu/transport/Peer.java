package corfu.transport;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A server as a client sees it. Many requests may be in flight, each with a deadline. Thread-safe.
 */
public interface Peer {

  Endpoint endpoint();

  /**
   * Sends a request. The future completes exactly once, by the deadline. It completes with the
   * server's reply (which may be a {@link corfu.protocol.message.Failure}), or with a {@link
   * TransportException} that tells whether the server may have acted.
   *
   * <p>The future may complete on one of the transport's threads, where nothing may block. If too
   * many requests are in flight, the calling thread waits for room until the deadline, unless it is
   * one of the transport's threads.
   *
   * @param timeoutNanos the timeout in nanoseconds, 1 or more
   */
  CompletableFuture<Reply> send(Request request, long timeoutNanos);

  /**
   * Sends a request and waits for its outcome.
   *
   * @throws TransportException if there is no reply
   */
  default Reply call(Request request, long timeoutNanos) {
    return begin(request, timeoutNanos).await();
  }

  /**
   * Sends a request whose reply the calling thread will await, perhaps after it has begun requests
   * to other servers.
   */
  default Exchange begin(Request request, long timeoutNanos) {
    return Exchange.of(send(request, timeoutNanos));
  }

  /**
   * Withdraws a request that has not been sent yet: it fails with {@link UnreachableException}. A
   * request that may have been sent continues.
   *
   * @param reply the future that {@link #send} or {@link Exchange#settle} returned
   * @param why the reason for people, for example "epoch 7 has replaced that of the request"
   * @return a future that completes after the request has failed, or is known to continue
   */
  default CompletableFuture<Void> withdraw(CompletableFuture<Reply> reply, String why) {
    return CompletableFuture.completedFuture(null);
  }

  /** A request that has been sent, with its reply. For the thread that has begun it. */
  interface Exchange {

    /**
     * Waits for the outcome of the request. The caller must call either this method or {@link
     * #settle}, exactly once, in every case.
     *
     * @throws TransportException if there is no reply
     */
    Reply await();

    /**
     * Waits briefly for the outcome, but only if no other thread would have to wait for it. If
     * another thread would hand the reply to the calling thread anyway, this method returns at
     * once.
     *
     * @param patienceNanos the approximate waiting time in nanoseconds, 1 or more
     * @return the same future as {@link #send} returns
     */
    CompletableFuture<Reply> settle(long patienceNanos);

    /** Returns an exchange that other threads carry. */
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

  /** Waits for the reply to a request sent by {@link #send}. */
  static Reply await(CompletableFuture<Reply> reply) {
    try {
      return reply.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TransportException failure ? failure : e;
    }
  }
}
