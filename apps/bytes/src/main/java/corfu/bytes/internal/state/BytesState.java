package corfu.bytes.internal.state;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One version of a byte array: where its bytes are. Immutable; a state shares most of its memory
 * with the state before.
 *
 * @param stream the array's stream
 * @param before the log address below which the state includes every entry of the stream
 * @param place the place of the stream's next entry
 * @param extents the places of the bytes; a range without an extent reads as zeros
 * @param size the array's size in bytes
 * @param depth the number of clones between this array and the array that its first bytes are from
 * @param note the note of the last change, read-only
 * @param change the log address of the last change, or {@link #NEVER}
 */
public record BytesState(
    StreamId stream,
    long before,
    long place,
    ExtentMap extents,
    long size,
    int depth,
    ByteBuffer note,
    long change) {

  /** The address of the last change of an array that nobody has changed. */
  public static final long NEVER = -1;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Returns the state of an array that nobody has written to. */
  public static BytesState empty(StreamId stream) {
    return new BytesState(stream, 0, 0, ExtentMap.empty(), 0, 0, NO_NOTE, NEVER);
  }

  /** Returns the first state of an array of which this state is the origin. */
  public BytesState beginning(StreamId array) {
    return new BytesState(array, 0, 0, extents, size, depth + 1, note, change);
  }

  /** Returns the last change's note, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer note() {
    return note.duplicate();
  }

  /** An entry of the array's stream. */
  public record Entry(long address, long place, RecordCodec.Decoded content) {}

  /** Returns the version whose content the entry takes over, if it takes any. */
  public Optional<Version> needs(Entry entry) {
    return entry.content().record()
                instanceof BytesRecord.Clone(StreamId source, long version, StreamId target)
            && target.equals(stream)
        ? Optional.of(new Version(source, Optional.empty(), Math.min(version, entry.address())))
        : Optional.empty();
  }

  /** Returns the state after the stream's next entry, which {@linkplain #needs needs} no other. */
  public BytesState after(Entry entry) {
    ByteBuffer itsNote = entry.content().note();
    return switch (entry.content().record()) {
      case BytesRecord.Write(long offset, long position, long length) ->
          written(entry, new Extent(offset, length, entry.address(), position), itsNote);
      case BytesRecord.Append(long position, long length) ->
          size > RecordCodec.MAX_SIZE - length
              ? without(entry) // no place is left: the append has no effect
              : written(entry, new Extent(size, length, entry.address(), position), itsNote);
      case BytesRecord.Truncate(long newSize) ->
          with(entry, extents.without(newSize, Long.MAX_VALUE), newSize, itsNote);
      case BytesRecord.Punch(long offset, long length) ->
          with(entry, extents.without(offset, offset + length), size, itsNote);
      case BytesRecord.Copy copy ->
          with(entry, copied(copy), Math.max(size, copy.offset() + copy.length()), itsNote);
      case BytesRecord.Clone ofThisArray -> without(entry);
      case BytesRecord.Release release -> without(entry);
    };
  }

  /** Returns the state after the stream's next entry, which takes over the source's content. */
  public BytesState after(Entry entry, BytesState source) {
    int newDepth = source.stream.equals(stream) ? source.depth : source.depth + 1;
    return new BytesState(
        stream,
        entry.address() + 1,
        entry.place() + 1,
        source.extents,
        source.size,
        newDepth,
        entry.content().note(),
        entry.address());
  }

  private ExtentMap copied(BytesRecord.Copy copy) {
    return extents.without(copy.offset(), copy.offset() + copy.length()).with(copy.extents());
  }

  private BytesState written(Entry entry, Extent extent, ByteBuffer itsNote) {
    return with(entry, extents.with(extent), Math.max(size, extent.end()), itsNote);
  }

  private BytesState with(Entry entry, ExtentMap newExtents, long newSize, ByteBuffer newNote) {
    long at = entry.address();
    return new BytesState(
        stream, at + 1, entry.place() + 1, newExtents, newSize, depth, newNote, at);
  }

  /** Returns the state behind an entry without an effect on this array. */
  private BytesState without(Entry entry) {
    return new BytesState(
        stream, entry.address() + 1, entry.place() + 1, extents, size, depth, note, change);
  }

  /** Returns the log address below which the state includes every entry of the stream. */
  public Address version() {
    return new Address(before);
  }
}
