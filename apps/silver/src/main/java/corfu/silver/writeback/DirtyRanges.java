package corfu.silver.writeback;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ranges of a file that were written and that no chunk has yet. They do not overlap. Not
 * thread-safe.
 */
final class DirtyRanges {

  /** The memory of a range besides its bytes, about. */
  static final int RANGE_COST = 256;

  private final int mostBytes;
  private final TreeMap<Long, Run> runs = new TreeMap<>(); // by the offset of the first byte
  private long cost;

  /**
   * @param mostBytes the most bytes of a range
   */
  DirtyRanges(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Bytes without a gap. The array grows. */
  private static final class Run {
    private byte[] bytes;
    private int length;

    private Run(int capacity) {
      this.bytes = new byte[capacity];
    }
  }

  /**
   * A range that was taken out.
   *
   * @param offset the first byte's offset
   * @param bytes the bytes
   */
  record Taken(long offset, ByteBuffer bytes) {}

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Returns the memory that the ranges take, in bytes. */
  long cost() {
    return cost;
  }

  /** Returns the offset behind the last byte, or 0 without any. */
  long end() {
    Map.Entry<Long, Run> last = runs.lastEntry();
    return last == null ? 0 : end(last);
  }

  private static long end(Map.Entry<Long, Run> run) {
    return run.getKey() + run.getValue().length;
  }

  /** Writes bytes over those that are there. */
  void write(long offset, ByteBuffer data) {
    ByteBuffer from = data.duplicate();
    long at = offset;
    while (from.hasRemaining()) {
      at += writeSome(at, from);
    }
  }

  /** Writes up to the next border of a range. Returns the number of bytes. */
  private int writeSome(long at, ByteBuffer from) {
    Map.Entry<Long, Run> before = runs.floorEntry(at);
    if (before != null && at < end(before)) {
      int count = (int) Math.min(from.remaining(), end(before) - at);
      from.get(before.getValue().bytes, (int) (at - before.getKey()), count);
      return count;
    }
    Long next = runs.higherKey(at);
    long gap = next == null ? Long.MAX_VALUE : next - at;
    int count = (int) Math.min(from.remaining(), gap);
    if (before != null && at == end(before) && before.getValue().length < mostBytes) {
      Run run = before.getValue();
      count = Math.min(count, mostBytes - run.length);
      grow(run, run.length + count);
      from.get(run.bytes, run.length, count);
      run.length += count;
      return count;
    }
    count = Math.min(count, mostBytes);
    Run run = new Run(count);
    from.get(run.bytes, 0, count);
    run.length = count;
    runs.put(at, run);
    cost += RANGE_COST + count;
    return count;
  }

  private void grow(Run run, int length) {
    if (length > run.bytes.length) {
      int before = run.bytes.length;
      run.bytes = Arrays.copyOf(run.bytes, Math.min(mostBytes, Math.max(length, 2 * before)));
      cost += run.bytes.length - before;
    }
  }

  /** Takes out the ranges that have all the bytes they can have, near a write that has ended. */
  List<Taken> takeFull(long offset, int length) {
    List<Taken> full = new ArrayList<>();
    var near = runs.subMap(Math.max(0, offset - mostBytes), true, offset + length, true);
    for (var each = near.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Long, Run> run = each.next();
      if (run.getValue().length == mostBytes) {
        full.add(new Taken(run.getKey(), ByteBuffer.wrap(run.getValue().bytes)));
        cost -= RANGE_COST + mostBytes;
        each.remove();
      }
    }
    return full;
  }

  /** Takes out all ranges. Ranges without a gap between them become one, if it is not too long. */
  List<Taken> takeAll() {
    List<Taken> taken = new ArrayList<>();
    List<Map.Entry<Long, Run>> adjacent = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Long, Run> run : runs.entrySet()) {
      boolean fits =
          adjacent.isEmpty()
              || (end(adjacent.getLast()) == run.getKey()
                  && bytes + run.getValue().length <= mostBytes);
      if (!fits) {
        taken.add(joined(adjacent, (int) bytes));
        adjacent.clear();
        bytes = 0;
      }
      adjacent.add(run);
      bytes += run.getValue().length;
    }
    if (!adjacent.isEmpty()) {
      taken.add(joined(adjacent, (int) bytes));
    }
    runs.clear();
    cost = 0;
    return taken;
  }

  private static Taken joined(List<Map.Entry<Long, Run>> adjacent, int length) {
    long offset = adjacent.getFirst().getKey();
    if (adjacent.size() == 1) {
      return new Taken(offset, ByteBuffer.wrap(adjacent.getFirst().getValue().bytes, 0, length));
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    adjacent.forEach(run -> all.put(run.getValue().bytes, 0, run.getValue().length));
    return new Taken(offset, all.flip());
  }

  /** Drops all bytes at or behind an offset. */
  void truncate(long size) {
    for (Run run : runs.tailMap(size, true).values()) {
      cost -= RANGE_COST + run.bytes.length;
    }
    runs.tailMap(size, true).clear();
    Map.Entry<Long, Run> last = runs.lastEntry();
    if (last != null && end(last) > size) {
      last.getValue().length = (int) (size - last.getKey());
    }
  }

  /** Puts what is here over the bytes of a reader. */
  void copyTo(Overlay reader) {
    Long first = runs.floorKey(reader.from());
    var near = runs.subMap(first == null ? reader.from() : first, true, reader.to(), false);
    near.forEach((offset, run) -> reader.put(offset, ByteBuffer.wrap(run.bytes, 0, run.length)));
  }
}
