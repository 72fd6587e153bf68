package corfu.sim.watch;

import corfu.objects.remote.ViewAnswer;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.ViewReply;
import corfu.sim.world.Simulator;

/** Counts the replies of servers that host views, which shows that they do. */
public record HostWatch(Simulator simulator) implements ServerWatch {

  public static final String ANSWERED = "a host answers a call on a view";
  static final String REFUSED = "a host refuses a call on a view";

  @Override
  public void asked(Request request) {}

  @Override
  public void answered(Request request, Reply reply) {
    if (reply instanceof ViewReply.Answered answered) {
      boolean isRefused =
          ViewAnswer.decode(answered.answer().duplicate()) instanceof ViewAnswer.Refused;
      simulator.reached(isRefused ? REFUSED : ANSWERED);
    }
  }
}
