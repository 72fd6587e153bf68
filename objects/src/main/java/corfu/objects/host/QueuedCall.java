package corfu.objects.host;

import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewCall;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewReply;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A call that has come, and is answered once: by who carries it out, or when its time is up. */
final class QueuedCall {

  private final CallQueue.Key key;
  private final ViewCall call;
  private final long deadline;
  private final Consumer<Reply> reply;
  private final AtomicBoolean isAnswered = new AtomicBoolean();
  private volatile boolean isNotAtHand;

  QueuedCall(CallQueue.Key key, ViewCall call, long deadline, Consumer<Reply> reply) {
    this.key = key;
    this.call = call;
    this.deadline = deadline;
    this.reply = reply;
  }

  /** Of which object. */
  CallQueue.Key key() {
    return key;
  }

  ViewCall call() {
    return call;
  }

  /** It was to be answered from a state that is at hand, and there was none. */
  void isNotAtHand() {
    isNotAtHand = true;
  }

  boolean mayBeAtHand() {
    return !isNotAtHand;
  }

  boolean isOver(long now) {
    return now - deadline >= 0;
  }

  boolean isAnswered() {
    return isAnswered.get();
  }

  void answer(ViewAnswer answer) {
    if (isAnswered.compareAndSet(false, true)) {
      reply.accept(new ViewReply.Answered(answer.encoded()));
    }
  }

  void overloaded(String why) {
    if (isAnswered.compareAndSet(false, true)) {
      reply.accept(new Failure.Overloaded(why));
    }
  }
}
