package corfu.bytes.internal.state;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;

/**
 * One version of a byte array: where its bytes are. Immutable; a state shares most of its memory
 * with the state before.
 *
 * @param stream the array's stream
 * @param before the log address below which the state includes every entry of the stream
 * @param extents the places of the bytes; a range without an extent reads as zeros
 * @param size the array's size in bytes
 * @param depth the number of clones between this array and the array that its first bytes are from
 * @param note the note of the last change, read-only
 */
public record BytesState(
    StreamId stream, long before, ExtentMap extents, long size, int depth, ByteBuffer note) {

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Looks up the states of other arrays, and earlier states of the same one. */
  @FunctionalInterface
  public interface Versions {
    /** Returns the state of an array that includes its entries below a log address. */
    BytesState at(StreamId stream, long before);
  }

  /** Returns the state of an array that nobody has written to. */
  public static BytesState empty(StreamId stream, long seed) {
    return new BytesState(stream, 0, ExtentMap.empty(seed), 0, 0, NO_NOTE);
  }

  /** Returns the last change's note, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer note() {
    return note.duplicate();
  }

  /**
   * Returns the state after the stream's next entry.
   *
   * @param address the log address of the entry
   * @param versions the states that a clone refers to
   */
  public BytesState after(long address, RecordCodec.Decoded entry, Versions versions) {
    long next = address + 1;
    ByteBuffer itsNote = entry.note();
    return switch (entry.record()) {
      case BytesRecord.Write(long offset, long position, long length) ->
          written(next, new Extent(offset, length, address, position), itsNote);
      case BytesRecord.Append(long position, long length) ->
          size > RecordCodec.MAX_SIZE - length
              ? with(next, extents, size, note) // no place is left: the append has no effect
              : written(next, new Extent(size, length, address, position), itsNote);
      case BytesRecord.Truncate(long newSize) ->
          with(next, extents.without(newSize, Long.MAX_VALUE), newSize, itsNote);
      case BytesRecord.Punch(long offset, long length) ->
          with(next, extents.without(offset, offset + length), size, itsNote);
      case BytesRecord.Clone(StreamId source, long version, StreamId target) ->
          target.equals(stream)
              ? cloned(next, versions.at(source, Math.min(version, address)), itsNote)
              : with(next, extents, size, note);
      case BytesRecord.Release release -> with(next, extents, size, note);
    };
  }

  private BytesState written(long next, Extent extent, ByteBuffer itsNote) {
    return with(next, extents.with(extent), Math.max(size, extent.end()), itsNote);
  }

  private BytesState cloned(long next, BytesState source, ByteBuffer itsNote) {
    int newDepth = source.stream.equals(stream) ? source.depth : source.depth + 1;
    return new BytesState(stream, next, source.extents, source.size, newDepth, itsNote);
  }

  private BytesState with(long next, ExtentMap newExtents, long newSize, ByteBuffer newNote) {
    return new BytesState(stream, next, newExtents, newSize, depth, newNote);
  }

  /** Returns the log address below which the state includes every entry of the stream. */
  public Address version() {
    return new Address(before);
  }
}
