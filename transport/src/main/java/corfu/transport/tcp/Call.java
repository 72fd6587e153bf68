package corfu.transport.tcp;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.concurrent.CompletableFuture;

/**
 * A request on its way.
 *
 * @param bytes what its frame measures
 * @param deadlineNanos when, by the world's clock, the future is complete
 */
record Call(Request request, int bytes, long deadlineNanos, CompletableFuture<Reply> future) {

  boolean isLate(long now) {
    return deadlineNanos - now <= 0;
  }
}
