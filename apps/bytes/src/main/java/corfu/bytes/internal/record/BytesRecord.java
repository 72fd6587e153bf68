package corfu.bytes.internal.record;

import corfu.protocol.StreamId;

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

  /** A clone needs the source's history no longer. The entry is in the source's stream. */
  record Release(StreamId target) implements BytesRecord {}
}
