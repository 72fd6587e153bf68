package corfu.protocol.message;

import java.nio.ByteBuffer;

/** What a server that hosts views of objects may answer. */
public sealed interface ViewReply extends Reply {

  /**
   * What came of a call; also that the host does not want to carry it out.
   *
   * @param answer as {@code docs/objects-format.md} draws it: this schema does not look inside
   */
  record Answered(ByteBuffer answer) implements ViewReply {
    public Answered {
      answer = answer.asReadOnlyBuffer();
    }
  }
}
