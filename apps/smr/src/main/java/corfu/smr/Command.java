package corfu.smr;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * A command where it was ordered.
 *
 * @param address of the entry that carries it
 * @param index among the commands of that entry, from 0
 * @param offset where its bytes begin in the entry's payload, so that whoever does not want to keep
 *     them finds them again in the log
 * @param body what was submitted, read-only; it stays valid only until {@link StateMachine#apply}
 *     returns
 */
public record Command(Address address, int index, int offset, ByteBuffer body) {

  /** What was submitted, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer body() {
    return body.duplicate();
  }
}
