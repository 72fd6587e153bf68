package corfu.sim.watch;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.List;

/** Observes all requests to one server and all its replies. */
public interface ServerWatch {

  void asked(Request request);

  /** Observes a reply; the request's entries are still valid. */
  void answered(Request request, Reply reply);

  /** The server's process has died, with all requests that it had not answered. */
  default void died() {}

  /** Returns several watches as one. */
  static ServerWatch all(List<ServerWatch> watches) {
    return new ServerWatch() {
      @Override
      public void asked(Request request) {
        watches.forEach(watch -> watch.asked(request));
      }

      @Override
      public void answered(Request request, Reply reply) {
        watches.forEach(watch -> watch.answered(request, reply));
      }

      @Override
      public void died() {
        watches.forEach(ServerWatch::died);
      }
    };
  }
}
