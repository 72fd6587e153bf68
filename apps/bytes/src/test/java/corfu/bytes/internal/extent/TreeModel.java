package corfu.bytes.internal.extent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A simple map of extents, without merging, packing or pages. */
final class TreeModel {

  private final TreeMap<Long, Extent> extents = new TreeMap<>();

  /** Puts an extent, or clears the range of a hole. */
  void apply(Extent change) {
    if (change.address() == TreeUpdate.CLEAR) {
      clear(change.offset(), change.end());
    } else {
      put(change);
    }
  }

  void put(Extent extent) {
    clear(extent.offset(), extent.end());
    extents.put(extent.offset(), extent);
  }

  void clear(long from, long to) {
    var below = extents.lowerEntry(from);
    if (below != null && below.getValue().end() > from) {
      Extent across = below.getValue();
      extents.put(across.offset(), across.within(across.offset(), from));
      if (across.end() > to) {
        extents.put(to, across.within(to, across.end()));
      }
    }
    var last = extents.lowerEntry(to);
    if (last != null && last.getKey() >= from && last.getValue().end() > to) {
      extents.put(to, last.getValue().within(to, last.getValue().end()));
    }
    extents.subMap(from, to).clear();
  }

  /** Returns the parts of extents in a range, merged where they continue each other. */
  List<Extent> in(long from, long to) {
    List<Extent> found = new ArrayList<>();
    var below = extents.floorEntry(from);
    long begin = below != null && below.getValue().end() > from ? below.getKey() : from;
    for (Extent extent : extents.subMap(begin, to).values()) {
      Extent part = extent.within(from, to);
      if (!found.isEmpty() && found.getLast().isContinuedBy(part)) {
        found.add(found.removeLast().plus(part));
      } else {
        found.add(part);
      }
    }
    return found;
  }

  int count() {
    return in(0, Long.MAX_VALUE).size();
  }

  void assertSame(ExtentMap map) {
    assertThat(map.in(0, Long.MAX_VALUE)).isEqualTo(in(0, Long.MAX_VALUE));
  }

  /** Compares the answers about a range and an offset. */
  void assertSame(ExtentMap map, long from, long to) {
    List<Extent> rest = in(from, Long.MAX_VALUE);
    assertThat(map.in(from, to)).isEqualTo(in(from, to));
    assertThat(map.nextData(from)).isEqualTo(rest.isEmpty() ? -1 : rest.getFirst().offset());
    long hole = from;
    for (Extent extent : rest) {
      if (extent.offset() > hole) {
        break;
      }
      hole = extent.end();
    }
    assertThat(map.nextHole(from)).isEqualTo(hole);
  }
}
