package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;

/** What a server that hosts views of objects may be asked. */
public sealed interface ViewRequest extends Request {

  /** A view is of the log, not of a layout. */
  @Override
  default Epoch epoch() {
    return Epoch.NONE;
  }

  /**
   * Calls an operation on a hosted view. Answered by {@link ViewReply.Answered}; {@link
   * Failure.NotServing} if the server hosts no views; {@link Failure.Overloaded} if too many calls
   * wait already, or this one has waited for as long as its caller would.
   *
   * @param stream the object's
   * @param patienceMillis for how long an answer is of use, 1 or more
   * @param call what is called, as {@code docs/objects-format.md} draws it: this schema does not
   *     look inside
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
