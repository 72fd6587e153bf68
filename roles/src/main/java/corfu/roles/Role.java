package corfu.roles;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.function.Consumer;

/**
 * A server's role as a state machine: a request in, a reply out, perhaps later. All methods, and
 * whatever the role hands to others to be called back, run on the one thread that owns the role, so
 * there are no locks inside.
 *
 * @param <Q> what the role may be asked
 */
public interface Role<Q extends Request> {

  /**
   * Takes a request. {@code reply} is called exactly once, at any later time, on the role's thread.
   * The request's entries are valid until then.
   */
  void handle(Q request, Consumer<Reply> reply);

  /** No more requests are at hand: what has gathered may start. */
  default void turnEnded() {}
}
