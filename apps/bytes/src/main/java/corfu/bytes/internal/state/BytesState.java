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
 * @param writer the only writer, if the array has one
 */
public record BytesState(
    StreamId stream,
    long before,
    long place,
    ExtentMap extents,
    long size,
    int depth,
    ByteBuffer note,
    long change,
    WriterMark writer) {

  /** The address of the last change of an array that nobody has changed. */
  public static final long NEVER = -1;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Returns the state of an array that nobody has written to. */
  public static BytesState empty(StreamId stream) {
    return new BytesState(stream, 0, 0, ExtentMap.empty(), 0, 0, NO_NOTE, NEVER, WriterMark.NONE);
  }

  /** Returns the first state of an array of which this state is the origin. */
  public BytesState beginning(StreamId array) {
    return new BytesState(array, 0, 0, extents, size, depth + 1, note, change, WriterMark.NONE);
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
            && !writer.isHeld()
        ? Optional.of(new Version(source, Optional.empty(), Math.min(version, entry.address())))
        : Optional.empty();
  }

  /**
   * Returns the state after the stream's next entry, which {@linkplain #needs needs} no other. If
   * the array has a writer, only that writer's batches have an effect: not those of its
   * predecessors, which may arrive late, nor changes of other clients.
   */
  public BytesState after(Entry entry) {
    return switch (entry.content().record()) {
      case BytesRecord.TakeOver(ByteBuffer owner) ->
          without(entry, writer.takenOver(owner, entry.address()));
      case BytesRecord.GiveUp(long epoch) -> without(entry, writer.givenUp(epoch, entry.address()));
      case BytesRecord.Batch batch ->
          writer.isHeldIn(batch.epoch()) ? changed(entry, batch) : without(entry);
      case BytesRecord shared -> writer.isHeld() ? without(entry) : changed(entry, shared);
    };
  }

  private BytesState changed(Entry entry, BytesRecord record) {
    ByteBuffer itsNote = entry.content().note();
    return switch (record) {
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
      case BytesRecord.TakeOver taken -> without(entry);
      case BytesRecord.GiveUp left -> without(entry);
      case BytesRecord.Batch batch -> changed(entry, batch);
    };
  }

  private BytesState changed(Entry entry, BytesRecord.Batch batch) {
    BatchEdits edits = new BatchEdits(extents, size, entry.address());
    boolean isContentChanged = false;
    for (BytesRecord.BatchChange change : batch.changes()) {
      isContentChanged |= isChangeOfContent(change);
      edits.add(change);
    }
    ExtentMap map = edits.map();
    if (isContentChanged) {
      return with(entry, map, edits.size(), entry.content().note());
    }
    return new BytesState(
        stream, entry.address() + 1, entry.place() + 1, map, size, depth, note, change, writer);
  }

  /** To store bytes again is no change, nor is a range without bytes. */
  private static boolean isChangeOfContent(BytesRecord.BatchChange change) {
    return switch (change) {
      case BytesRecord.Move move -> false;
      case BytesRecord.Punch punch -> punch.length() > 0;
      case BytesRecord.Write write -> true;
      case BytesRecord.Truncate truncate -> true;
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
        entry.address(),
        writer);
  }

  private ExtentMap copied(BytesRecord.Copy copy) {
    return extents.without(copy.offset(), copy.offset() + copy.length()).with(copy.extents());
  }

  /**
   * Passes on the ranges in which the stream's next entry may have changed the map, from their
   * first byte to behind their last one.
   *
   * @param after the state behind the entry
   */
  public void forEachChangedRange(Entry entry, BytesState after, RangeReceiver receiver) {
    if (after.extents == extents) {
      return;
    }
    if (entry.content().record() instanceof BytesRecord.Batch batch) {
      long lowest = Math.min(size, after.size);
      for (BytesRecord.BatchChange change : batch.changes()) {
        switch (change) {
          case BytesRecord.Write(long offset, long position, long length) ->
              receiver.accept(offset, offset + length);
          case BytesRecord.Punch(long offset, long length) ->
              receiver.accept(offset, offset + length);
          case BytesRecord.Truncate(long to) -> lowest = Math.min(lowest, to);
          case BytesRecord.Move move ->
              receiver.accept(move.offset(), move.offset() + move.length());
        }
      }
      receiver.accept(lowest, Long.MAX_VALUE);
    } else {
      receiver.accept(0, Long.MAX_VALUE);
    }
  }

  /** Receives a range of an array. */
  @FunctionalInterface
  public interface RangeReceiver {
    void accept(long from, long to);
  }

  private BytesState written(Entry entry, Extent extent, ByteBuffer itsNote) {
    return with(entry, extents.with(extent), Math.max(size, extent.end()), itsNote);
  }

  private BytesState with(Entry entry, ExtentMap newExtents, long newSize, ByteBuffer newNote) {
    long at = entry.address();
    return new BytesState(
        stream, at + 1, entry.place() + 1, newExtents, newSize, depth, newNote, at, writer);
  }

  /** Returns the state behind an entry without an effect on this array. */
  private BytesState without(Entry entry) {
    return without(entry, writer);
  }

  private BytesState without(Entry entry, WriterMark mark) {
    return new BytesState(
        stream, entry.address() + 1, entry.place() + 1, extents, size, depth, note, change, mark);
  }

  /** Returns this state with the map of the same version that was found anew. */
  public BytesState withMapOf(BytesState same) {
    return new BytesState(stream, before, place, same.extents, size, depth, note, change, writer);
  }

  /** Returns the log address below which the state includes every entry of the stream. */
  public Address version() {
    return new Address(before);
  }
}
