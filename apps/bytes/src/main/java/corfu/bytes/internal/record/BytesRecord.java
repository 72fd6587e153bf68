package corfu.bytes.internal.record;

import corfu.bytes.internal.extent.Extent;
import corfu.protocol.StreamId;
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
  record Write(long offset, long position, long length) implements BytesRecord {}

  /** Bytes follow the last byte that the array has at the entry's place in the log. */
  record Append(long position, long length) implements BytesRecord {}

  /** The array has this size now. Bytes that are new are zeros. */
  record Truncate(long size) implements BytesRecord {}

  /** A range of the array reads as zeros now. The size stays. */
  record Punch(long offset, long length) implements BytesRecord {}

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
}
