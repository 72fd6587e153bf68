package corfu.sim;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.RequestHandler;
import java.util.function.Consumer;

/** A server whose every answer is seen by a watch. */
record Watched(RequestHandler server, ServerWatch watch) implements RequestHandler {

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    watch.asked(request);
    server.handle(
        request,
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
