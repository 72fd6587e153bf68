package corfu.transport;

import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A handler that answers all requests left unanswered by the inner handler at the end of a test, so
 * that no request's memory stays.
 */
public final class EventuallyAnswering implements RequestHandler {

  private final RequestHandler handler;
  private final Set<Consumer<Reply>> unanswered = new LinkedHashSet<>();

  public EventuallyAnswering(RequestHandler handler) {
    this.handler = handler;
  }

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    handle(request, RequestOrigin.UNKNOWN, reply);
  }

  @Override
  public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    var answer =
        new Consumer<Reply>() {
          @Override
          public void accept(Reply answer) {
            unanswered.remove(this);
            reply.accept(answer);
          }
        };
    unanswered.add(answer);
    handler.handle(request, origin, answer);
  }

  @Override
  public void turnEnded() {
    handler.turnEnded();
  }

  /** To be called on the server's loop. */
  public void answerTheRest() {
    List.copyOf(unanswered).forEach(reply -> reply.accept(new Failure.Overloaded("the test ends")));
  }
}
