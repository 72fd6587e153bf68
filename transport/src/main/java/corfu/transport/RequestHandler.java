package corfu.transport;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import java.util.function.Consumer;

/** A server's side of a transport. Called on one thread, the server's loop. */
public interface RequestHandler {

  /**
   * Takes a request; {@code reply} is to be called exactly once, at any later time, on the server's
   * loop. The request's entries are valid until then; those of the reply until that call returns,
   * for a server uses their memory again. A handler that throws has answered {@link
   * corfu.protocol.message.Failure.Broken}. {@link corfu.protocol.message.NodeRequest.Hello}
   * arrives here, too: after a reply to it other than a welcome the connection is closed.
   */
  void handle(Request request, Consumer<Reply> reply);

  /** Takes a request of which the transport knows where it comes from. */
  default void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    handle(request, reply);
  }

  /** No more requests are at hand for now. */
  default void turnEnded() {}
}
