package corfu.bytes.internal.state;

import corfu.bytes.Owner;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The only writer that an array has at some version, or its absence. Immutable.
 *
 * @param epoch the number of take-overs so far
 * @param isHeld whether the array has a writer: the last one to take over has not left
 * @param owner the writer's description, read-only; empty if there is none
 * @param since the log address of the entry that began this; {@link BytesState#NEVER} at first
 */
public record WriterMark(long epoch, boolean isHeld, ByteBuffer owner, long since) {

  /** The mark of an array that has never had an only writer. */
  public static final WriterMark NONE =
      new WriterMark(0, false, ByteBuffer.allocate(0).asReadOnlyBuffer(), BytesState.NEVER);

  /** Returns the mark behind a take-over at this log address. */
  WriterMark takenOver(ByteBuffer newOwner, long address) {
    return new WriterMark(epoch + 1, true, newOwner, address);
  }

  /** Returns the mark behind the leave of the writer of some epoch. */
  WriterMark givenUp(long itsEpoch, long address) {
    return isHeldIn(itsEpoch) ? new WriterMark(epoch, false, NONE.owner, address) : this;
  }

  /** Returns the writer, if the array has one. */
  public Optional<Owner> holder() {
    return isHeld ? Optional.of(lastHolder()) : Optional.empty();
  }

  /** Returns the epoch, its writer and its begin, even if the writer has left. */
  public Owner lastHolder() {
    return new Owner(epoch, owner(), new Address(since));
  }

  /** Returns whether the writer of this epoch is the array's writer. */
  public boolean isHeldIn(long itsEpoch) {
    return isHeld && epoch == itsEpoch;
  }

  /** Returns the description, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer owner() {
    return owner.duplicate();
  }
}
