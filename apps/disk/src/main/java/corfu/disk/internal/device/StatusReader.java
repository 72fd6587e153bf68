package corfu.disk.internal.device;

import corfu.disk.internal.device.DiskContent.DataRange;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The status of ranges: which have data, from how far up the line of clones, and which differ from
 * a version. Thread-safe.
 */
final class StatusReader {

  static final String ALLOCATION = "base:allocation";
  static final String DEPTH = "qemu:allocation-depth";
  static final String DIRTY = "qemu:dirty-bitmap:";

  private static final long HOLE_AND_ZERO = 3; // NBD_STATE_HOLE, NBD_STATE_ZERO
  private static final long IS_DIRTY = 1;

  /** The most ranges of the map that one answer looks at. */
  private static final int MOST_RANGES = 2048;

  private final DeviceFacts facts;

  StatusReader(DeviceFacts facts) {
    this.facts = facts;
  }

  /** Returns the contexts that a query selects. */
  static List<String> contexts(DeviceFacts facts, String query) {
    Stream<String> all =
        Stream.concat(
            Stream.of(ALLOCATION, DEPTH), facts.snapshots().stream().map(name -> DIRTY + name));
    if (query.endsWith(":")) {
      return all.filter(name -> name.startsWith(query)).toList();
    }
    boolean exists =
        query.equals(ALLOCATION)
            || query.equals(DEPTH)
            || (query.startsWith(DIRTY)
                && facts.version(query.substring(DIRTY.length())).isPresent());
    return exists ? List.of(query) : List.of();
  }

  /** Returns the status of a range, or of its beginning; may block. */
  List<StatusExtent> status(String context, Layers layers, long offset, long length) {
    long end = offset + length;
    if (context.startsWith(DIRTY)) {
      Address version =
          facts.version(context.substring(DIRTY.length())).orElseThrow(() -> unknown(context));
      return dirty(layers, facts.at(version), offset, end);
    }
    boolean isDepth = context.equals(DEPTH);
    if (!isDepth && !context.equals(ALLOCATION)) {
      throw unknown(context);
    }
    List<DataRange> ranges = layers.written().ranges(offset, end, MOST_RANGES);
    long known = endOf(ranges, end);
    Painting painting = new Painting(offset, known, isDepth ? 0 : HOLE_AND_ZERO);
    for (DataRange range : ranges) {
      painting.paint(range.offset(), range.end(), isDepth ? depth(range.address()) : 0);
    }
    for (Piece piece : layers.unwritten().in(offset, known)) {
      long flags = isDepth ? 1 : 0;
      long zeros = isDepth ? 0 : HOLE_AND_ZERO;
      painting.paint(piece.offset(), piece.end(), piece.data().isPresent() ? flags : zeros);
    }
    return painting.extents();
  }

  private BlockDeviceException unknown(String context) {
    return new BlockDeviceException(
        Reason.NOT_SUPPORTED,
        "disk %s has no context %s; it has %s"
            .formatted(facts.name(), context, contexts(facts, "base:")));
  }

  /** An entry that is older than the clone is of the disk that it was cloned from. */
  private long depth(long address) {
    return 1 + facts.originVersions().stream().filter(at -> at.value() > address).count();
  }

  private static long endOf(List<DataRange> ranges, long end) {
    return ranges.size() < MOST_RANGES ? end : Math.min(end, ranges.getLast().end());
  }

  private List<StatusExtent> dirty(Layers now, DiskContent then, long offset, long end) {
    List<DataRange> newer = now.written().ranges(offset, end, MOST_RANGES);
    List<DataRange> older = then.ranges(offset, end, MOST_RANGES);
    long known = Math.min(endOf(newer, end), endOf(older, end));
    Painting painting = new Painting(offset, known, 0);
    mark(newer, older, painting);
    mark(older, newer, painting);
    for (Piece piece : now.unwritten().in(offset, known)) {
      painting.paint(piece.offset(), piece.end(), IS_DIRTY);
    }
    return painting.extents();
  }

  /** Marks what these ranges have and the others do not have at the same place. */
  private static void mark(List<DataRange> these, List<DataRange> others, Painting painting) {
    int next = 0;
    for (DataRange range : these) {
      long at = range.offset();
      while (next < others.size() && others.get(next).end() <= at) {
        next++;
      }
      for (int i = next; i < others.size() && others.get(i).offset() < range.end(); i++) {
        DataRange other = others.get(i);
        if (isSame(range, other)) {
          painting.paint(at, Math.max(at, other.offset()), IS_DIRTY);
          at = Math.max(at, Math.min(range.end(), other.end()));
        }
      }
      painting.paint(at, range.end(), IS_DIRTY);
    }
  }

  private static boolean isSame(DataRange one, DataRange other) {
    return one.address() == other.address()
        && one.position() - one.offset() == other.position() - other.offset();
  }

  /** A range that gets flags part by part. Not thread-safe. */
  private static final class Painting {

    private final TreeMap<Long, Long> starts = new TreeMap<>();
    private final long from;
    private final long to;

    Painting(long from, long to, long flags) {
      this.from = from;
      this.to = to;
      starts.put(from, flags);
    }

    void paint(long begin, long end, long flags) {
      long low = Math.max(begin, from);
      long high = Math.min(end, to);
      if (low >= high) {
        return;
      }
      long behind = starts.floorEntry(high).getValue();
      starts.subMap(low, high).clear();
      starts.put(low, flags);
      if (high < to) {
        starts.put(high, behind);
      }
    }

    List<StatusExtent> extents() {
      List<StatusExtent> extents = new ArrayList<>();
      long begin = from;
      long flags = starts.firstEntry().getValue();
      for (var start : starts.tailMap(from, false).entrySet()) {
        if (start.getValue() != flags) {
          extents.add(new StatusExtent(start.getKey() - begin, flags));
          begin = start.getKey();
          flags = start.getValue();
        }
      }
      extents.add(new StatusExtent(to - begin, flags));
      return extents;
    }
  }
}
