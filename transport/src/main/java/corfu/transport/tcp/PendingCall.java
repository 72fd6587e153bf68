package corfu.transport.tcp;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.concurrent.CompletableFuture;

/**
 * An in-flight request.
 *
 * @param request the request
 * @param bytes the size of its frame in bytes
 * @param deadlineNanos the time by the world's clock at which the future is complete
 * @param future the future of its reply
 */
record PendingCall(
    Request request, int bytes, long deadlineNanos, CompletableFuture<Reply> future) {

  boolean isLate(long now) {
    return deadlineNanos - now <= 0;
  }
}
