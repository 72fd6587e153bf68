package corfu.bytes;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * The only writer of an array; see {@link ArrayWriter}. Immutable.
 *
 * @param epoch the number of take-overs of the array up to this one
 * @param owner the writer's description of itself, read-only; at most 255 bytes
 * @param since the log address of the take-over
 */
public record Owner(long epoch, ByteBuffer owner, Address since) {

  /** Returns the description, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer owner() {
    return owner.duplicate();
  }
}
