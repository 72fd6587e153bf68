package corfu.bytes;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.MapReads;
import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * One version of a byte array. It never changes, whatever is written later. Thread-safe.
 *
 * <p>A view holds no bytes. A read fetches those that it needs from the log, as parts of the
 * entries that hold them.
 */
public final class BytesView {

  /** The bytes of the array whose ranges are looked up together. */
  private static final long RANGES_AT_ONCE_BYTES = 4 << 20;

  private final Log log;
  private final BytesOptions options;
  private final MapReads maps;
  private final Optional<BytesOrigin> origin;
  private volatile BytesState state; // the same version always, perhaps with another map in memory

  BytesView(
      Log log,
      BytesOptions options,
      MapReads maps,
      BytesState state,
      Optional<BytesOrigin> origin) {
    this.log = log;
    this.options = options;
    this.maps = maps;
    this.origin = origin;
    this.state = state;
  }

  /** Returns the id of the array's stream. */
  public StreamId stream() {
    return state.stream();
  }

  /** Makes a call on the map, if need be on one that was found anew. */
  private <T> T onMap(Function<ExtentMap, T> call) {
    return maps.onState(
        state, origin, whole -> call.apply(whole.extents()), found -> state = found);
  }

  /** Returns the array's size in bytes. */
  public long size() {
    return state.size();
  }

  /**
   * Returns the log address below which this version includes every change of the array. {@link
   * VersionedBytes#at} returns the same version for it.
   */
  public Address version() {
    return state.version();
  }

  /** Returns the note of the last change, read-only; empty if it has none. */
  public ByteBuffer note() {
    return state.note();
  }

  /**
   * Returns the log address of the entry that made the last change; empty if there was none. If no
   * change is newer than the array's origin, it is the origin's last change.
   */
  public Optional<Address> lastChange() {
    return state.change() == BytesState.NEVER
        ? Optional.empty()
        : Optional.of(new Address(state.change()));
  }

  /** Returns the only writer that the array has at this version, if it has one. */
  public Optional<Owner> writer() {
    return state.writer().holder();
  }

  /**
   * Returns this version as the origin of other arrays, which then begin with this content. It
   * remains readable as long as its entries are.
   */
  public BytesOrigin asOrigin() {
    return new BytesOrigin(state.stream(), origin, version());
  }

  /**
   * Returns the number of clones between this array and the array that its first bytes are from.
   */
  public int cloneDepth() {
    return state.depth();
  }

  /**
   * Reads a range.
   *
   * @param offset the first byte, 0 or more
   * @param length the number of bytes, 0 or more, at most {@link BytesOptions#maxReadBytes}
   * @return the bytes, from position 0 to the limit; fewer if the array ends before
   * @throws VersionForgottenException if an entry that holds bytes of the range was trimmed
   */
  public ByteBuffer read(long offset, int length) {
    if (offset < 0 || length < 0 || length > options.maxReadBytes()) {
      throw new IllegalArgumentException(
          "a read has 0 to %d bytes from offset 0 or more, not %d from %d"
              .formatted(options.maxReadBytes(), length, offset));
    }
    long end =
        Math.min(state.size(), offset > Long.MAX_VALUE - length ? state.size() : offset + length);
    if (offset >= end) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer into = ByteBuffer.allocate((int) (end - offset));
    List<Extent> extents = onMap(map -> map.in(offset, end));
    List<PayloadRange> ranges = new ArrayList<>(extents.size());
    for (Extent extent : extents) {
      ranges.add(
          new PayloadRange(
              extent.address(), Math.toIntExact(extent.position()), (int) extent.length()));
    }
    List<EntryPart> parts = ranges.isEmpty() ? List.of() : log.readParts(ranges);
    for (int i = 0; i < extents.size(); i++) {
      Extent extent = extents.get(i);
      into.put(
          (int) (extent.offset() - offset), bytes(extent, parts.get(i)), 0, (int) extent.length());
    }
    return into;
  }

  private ByteBuffer bytes(Extent extent, EntryPart part) {
    return switch (part) {
      case EntryPart.Data data when data.bytes().remaining() == extent.length() -> data.bytes();
      case EntryPart.Trimmed trimmed ->
          throw new VersionForgottenException(
              state.stream(), state.version(), "the entry at address " + trimmed.address());
      case EntryPart other ->
          throw new DamagedRecordException(
              new Address(extent.address()),
              "bytes %d to %d were to be there, but not %s"
                  .formatted(extent.position(), extent.position() + extent.length(), other));
    };
  }

  /**
   * Returns the first offset at or behind this one at which data was written, or empty if there is
   * none before the array's end.
   */
  public OptionalLong nextData(long offset) {
    long found = onMap(map -> map.nextData(offset));
    return found < 0 ? OptionalLong.empty() : OptionalLong.of(found);
  }

  /**
   * Returns the first offset at or behind this one at which no data was written: a hole, or the
   * array's end.
   *
   * @param offset an offset before the array's end
   */
  public long nextHole(long offset) {
    return Math.min(state.size(), onMap(map -> map.nextHole(offset)));
  }

  /**
   * A range of bytes that was written, and the place of its bytes in the log.
   *
   * @param offset the first byte's offset in the array
   * @param length the number of bytes, 1 or more
   * @param address the log address of the entry that holds the bytes
   * @param position the first byte's position in the entry's payload
   */
  public record DataRange(long offset, long length, long address, long position) {

    /** Returns the offset behind the last byte. */
    public long end() {
      return offset + length;
    }
  }

  /**
   * Returns the written ranges within a range, in ascending order. Two versions have the same bytes
   * in a range if they have the same places for it.
   *
   * @param from the first byte's offset, 0 or more
   * @param to the offset behind the last byte
   * @param most the number of ranges, 1 or more, after which the rest is left out
   */
  public List<DataRange> ranges(long from, long to, int most) {
    List<DataRange> found = new ArrayList<>();
    long end = Math.min(to, size());
    long at = from;
    while (at < end && found.size() < most) {
      OptionalLong next = nextData(at);
      if (next.isEmpty() || next.getAsLong() >= end) {
        break;
      }
      long begin = next.getAsLong();
      at = Math.min(end, begin + RANGES_AT_ONCE_BYTES);
      for (Extent extent : extents(begin, at - begin, begin)) {
        if (found.size() < most) {
          found.add(
              new DataRange(extent.offset(), extent.length(), extent.address(), extent.position()));
        }
      }
    }
    return found;
  }

  /**
   * Passes on the log address of each entry that holds bytes of this version, perhaps repeatedly.
   */
  public void forEachEntry(LongConsumer receiver) {
    boolean unused =
        onMap(
            map -> {
              map.forEach(extent -> receiver.accept(extent.address()));
              return true;
            });
  }

  /**
   * Returns the extents of a range, as extents of another array.
   *
   * @param offset the first byte's offset in this array
   * @param length the number of bytes, up to this array's end
   * @param target the first byte's offset in the other array
   */
  List<Extent> extents(long offset, long length, long target) {
    List<Extent> moved = new ArrayList<>();
    for (Extent extent : onMap(map -> map.in(offset, offset + length))) {
      long to = target + extent.offset() - offset;
      moved.add(new Extent(to, extent.length(), extent.address(), extent.position()));
    }
    return moved;
  }
}
