package corfu.sim.watch;

import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.List;

/** Sees everything that one server is asked and answers. */
public interface ServerWatch {

  void asked(Request request);

  /** The request's entries are still valid. */
  void answered(Request request, Reply reply);

  /** Its process is gone, with all that it had not answered. */
  default void died() {}

  /** Several watches as one. */
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
