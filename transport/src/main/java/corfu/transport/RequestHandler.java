package corfu.transport;

import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import java.util.Optional;
import java.util.function.Consumer;

/** A server's side of a transport. Called on one thread, the server's loop. */
public interface RequestHandler {

  /**
   * Handles a request. The handler must call {@code reply} exactly once, at any later time, on the
   * server's loop. The request's entries are valid until then. The reply's entries must be valid
   * until that call returns, because a server reuses their memory. If the handler throws, the
   * answer is {@link corfu.protocol.message.Failure.Broken}. A {@link
   * corfu.protocol.message.NodeRequest.Hello} arrives here, too: if the reply to it is no welcome,
   * the connection is closed.
   */
  void handle(Request request, Consumer<Reply> reply);

  /** Handles a request whose origin the transport knows. */
  default void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    handle(request, reply);
  }

  /**
   * Called when a client has proven its name on a new connection, before the first request. A
   * transport without connections does not call it.
   *
   * @return the reason to close the connection, which its client is told, or empty. If it is empty,
   *     {@link #disconnected} follows once.
   */
  default Optional<Failure> connected(RequestOrigin origin) {
    return Optional.empty();
  }

  /** Called when a connection has ended that {@link #connected} has let in. */
  default void disconnected(RequestOrigin origin) {}

  /** Called when no more requests are at hand for now. */
  default void turnEnded() {}
}
