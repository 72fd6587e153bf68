package corfu.sim.watch;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.transport.RequestHandler;
import java.util.function.Consumer;

/** A server whose requests and replies a watch observes. */
public record WatchedServer(RequestHandler server, ServerWatch watch) implements RequestHandler {

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    handle(request, RequestOrigin.UNKNOWN, reply);
  }

  @Override
  public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    watch.asked(request);
    server.handle(
        request,
        origin,
        answer -> {
          watch.answered(request, answer);
          reply.accept(answer);
        });
  }

  @Override
  public void turnEnded() {
    server.turnEnded();
  }
}
