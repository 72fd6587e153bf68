package corfu.roles;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.function.Consumer;

/**
 * A server's role as a state machine: a request comes in, and a reply goes out, perhaps later. All
 * methods and all callbacks run on the one thread that owns the role, so a role has no locks.
 *
 * @param <Q> the type of the role's requests
 */
public interface Role<Q extends Request> {

  /**
   * Handles a request. The role calls {@code reply} exactly once, at any later time, on its thread.
   * The request's entries are valid until then.
   */
  void handle(Q request, Consumer<Reply> reply);

  /** Called when no more requests are at hand: gathered work may start. */
  default void turnEnded() {}
}
