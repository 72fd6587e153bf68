package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;

/** The requests to a server that hosts views of objects. */
public sealed interface ViewRequest extends Request {

  /** A view depends on the log, not on a layout. */
  @Override
  default Epoch epoch() {
    return Epoch.NONE;
  }

  /**
   * Calls an operation on a hosted view. Answered by {@link ViewReply.Answered}, or by {@link
   * Failure.NotServing} if the server hosts no views. Answered by {@link Failure.Overloaded} if too
   * many calls wait already, or if this one has waited for the whole patience of its caller.
   *
   * @param stream the object's stream
   * @param patienceMillis the time for which the caller waits for an answer, in milliseconds, 1 or
   *     more
   * @param call the call, as {@code docs/objects-format.md} draws it: this schema does not look
   *     inside
   */
  record Call(StreamId stream, int patienceMillis, ByteBuffer call) implements ViewRequest {
    public Call {
      if (patienceMillis < 1) {
        throw new IllegalArgumentException("a patience of " + patienceMillis + " ms");
      }
      call = call.asReadOnlyBuffer();
    }
  }
}
