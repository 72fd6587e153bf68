package corfu.bytes.internal.record;

import corfu.bytes.internal.extent.Extent;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;

/** A change of a byte array, as an entry of its stream holds it. */
public sealed interface BytesRecord {

  /** The version of a clone that includes all that precedes the clone itself. */
  long NEWEST = Long.MAX_VALUE;

  /**
   * Bytes replace those at an offset.
   *
   * @param position the position of the bytes in the entry's payload
   */
  record Write(long offset, long position, long length) implements BytesRecord, BatchChange {}

  /** Bytes follow the last byte that the array has at the entry's place in the log. */
  record Append(long position, long length) implements BytesRecord {}

  /** The array has this size now. Bytes that are new are zeros. */
  record Truncate(long size) implements BytesRecord, BatchChange {}

  /** A range of the array reads as zeros now. The size stays. */
  record Punch(long offset, long length) implements BytesRecord, BatchChange {}

  /**
   * The target's content becomes the source's content at a version. The entry is in both streams.
   *
   * @param version the log address below which entries of the source count, or {@link #NEWEST}
   */
  record Clone(StreamId source, long version, StreamId target) implements BytesRecord {}

  /**
   * A range of the array gets the content of a range of some array, which may be the same one. The
   * bytes stay in the entries that hold them.
   *
   * @param offset the first byte's offset in this array
   * @param length the number of bytes, 1 or more
   * @param extents the places of the bytes, by their offsets in this array; the rest of the range
   *     reads as zeros
   */
  record Copy(long offset, long length, List<Extent> extents) implements BytesRecord {
    public Copy {
      extents = List.copyOf(extents);
    }
  }

  /** A clone needs the source's history no longer. The entry is in the source's stream. */
  record Release(StreamId target) implements BytesRecord {}

  /**
   * A client becomes the only writer of the array. The entry begins a writer epoch: batches of
   * other epochs behind it have no effect, and other changes neither.
   *
   * @param owner a description of the writer, read-only; at most 255 bytes
   */
  record TakeOver(ByteBuffer owner) implements BytesRecord {

    /** Returns the description, read-only, from position 0 to its limit. */
    @Override
    public ByteBuffer owner() {
      return owner.duplicate();
    }
  }

  /** The writer of this epoch leaves: the array has no writer until the next take-over. */
  record GiveUp(long epoch) implements BytesRecord {}

  /**
   * Changes that an only writer makes together, each after the one before.
   *
   * @param epoch the writer's epoch; the batch has no effect in another one
   * @param sequence the batch's number among those of this epoch
   */
  record Batch(long epoch, long sequence, List<BatchChange> changes) implements BytesRecord {
    public Batch {
      changes = List.copyOf(changes);
    }
  }

  /** A change within a batch. */
  sealed interface BatchChange {}

  /**
   * Bytes of a range are stored again, in this entry. The change applies to those parts of the
   * range that still lie at the old place; it changes no content.
   *
   * @param position the position of the bytes in this entry's payload
   * @param oldAddress the log address of the entry that held the bytes
   * @param oldPosition the position of the first byte in the payload of that entry
   */
  record Move(long offset, long position, long length, long oldAddress, long oldPosition)
      implements BatchChange {}
}
