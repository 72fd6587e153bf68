package corfu.protocol.message;

import java.nio.ByteBuffer;

/** The replies of a server that hosts views of objects. */
public sealed interface ViewReply extends Reply {

  /**
   * The result of a call, or the host's refusal to carry it out.
   *
   * @param answer the answer, as {@code docs/objects-format.md} draws it: this schema does not look
   *     inside
   */
  record Answered(ByteBuffer answer) implements ViewReply {
    public Answered {
      answer = answer.asReadOnlyBuffer();
    }
  }
}
