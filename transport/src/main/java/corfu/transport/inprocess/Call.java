package corfu.transport.inprocess;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An in-flight request. It ends once: by its reply, its deadline, or the end of its server or
 * transport.
 */
final class Call {

  private final InProcessPeer peer;
  private final Request request;
  private final int bytes;
  private final long deadlineNanos;
  private final CompletableFuture<Reply> future = new CompletableFuture<>();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

  private enum Stage {
    WAITING,
    HANDED,
    OVER
  }

  Call(InProcessPeer peer, Request request, int bytes, long deadlineNanos) {
    this.peer = peer;
    this.request = request;
    this.bytes = bytes;
    this.deadlineNanos = deadlineNanos;
  }

  Request request() {
    return request;
  }

  CompletableFuture<Reply> future() {
    return future;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isOf(InProcessTransport transport) {
    return peer.transport() == transport;
  }

  boolean isOfClosedTransport() {
    return peer.transport().isClosed();
  }

  /** Marks the request as passed to the handler. Returns false if the call is over. */
  boolean hand() {
    return stage.compareAndSet(Stage.WAITING, Stage.HANDED);
  }

  void answer(Reply reply) {
    if (stage.getAndSet(Stage.OVER) != Stage.OVER) {
      peer.left(bytes);
      future.complete(reply);
    }
  }

  /**
   * Ends the call without a reply. The exception depends on whether the handler has got the
   * request.
   */
  void fail(String reason) {
    switch (stage.getAndSet(Stage.OVER)) {
      case WAITING -> failWith(new UnreachableException(peer.endpoint(), reason));
      case HANDED -> failWith(new NoReplyException(peer.endpoint(), reason));
      case OVER -> {}
    }
  }

  /** Ends the call unless the handler has got the request. */
  void fail(TransportException failure) {
    if (stage.compareAndSet(Stage.WAITING, Stage.OVER)) {
      failWith(failure);
    }
  }

  private void failWith(TransportException failure) {
    peer.left(bytes);
    future.completeExceptionally(failure);
  }
}
