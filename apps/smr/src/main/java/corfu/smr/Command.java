package corfu.smr;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * A command at its place in the log.
 *
 * @param address the log address of the command's entry
 * @param index the command's number in that entry, from 0
 * @param offset the place of the command's first byte in the entry's payload; a machine may read
 *     the bytes from the log again instead of keeping them
 * @param body the command's bytes, read-only; they are valid until {@link StateMachine#apply}
 *     returns
 */
public record Command(Address address, int index, int offset, ByteBuffer body) {

  /** Returns the command's bytes, read-only, from position 0 to the limit. */
  @Override
  public ByteBuffer body() {
    return body.duplicate();
  }
}
