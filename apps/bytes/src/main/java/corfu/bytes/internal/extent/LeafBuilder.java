package corfu.bytes.internal.extent;

import org.jspecify.annotations.Nullable;

/** Builds the extents of a leaf from those of another one and from new ones. For one thread. */
final class LeafBuilder {

  private final long[][] old = new long[Leaf.COLUMNS][];
  private final int oldCount;
  private final long[][] columns = new long[Leaf.COLUMNS][];
  private int count;
  private int next; // the next old extent
  private boolean isAppended; // the last added extent is behind all old ones

  /**
   * @param leaf the old extents, or null if there are none
   * @param changes the number of changes
   */
  LeafBuilder(@Nullable Leaf leaf, int changes) {
    oldCount = leaf == null ? 0 : leaf.count();
    for (int i = 0; i < Leaf.COLUMNS; i++) {
      old[i] = new long[oldCount];
      columns[i] = new long[oldCount + 2 * changes]; // each change may divide an extent
    }
    if (leaf != null) {
      leaf.copyTo(old, 0);
    }
  }

  int count() {
    return count;
  }

  long[][] columns() {
    return columns;
  }

  /** Returns whether the last extent is new, so that more will probably follow it. */
  boolean isAppended() {
    return isAppended;
  }

  /** Copies the old extents below an offset, and of one that is across it the part below. */
  void copyBelow(long offset) {
    while (next < oldCount && oldEnd() <= offset) {
      addOld();
    }
    if (next < oldCount && old[Leaf.OFFSET][next] < offset) {
      put(
          old[Leaf.OFFSET][next],
          offset - old[Leaf.OFFSET][next],
          old[Leaf.ADDRESS][next],
          old[Leaf.POSITION][next]);
    }
  }

  private long oldEnd() {
    return old[Leaf.OFFSET][next] + old[Leaf.LENGTH][next];
  }

  private void addOld() {
    put(
        old[Leaf.OFFSET][next],
        old[Leaf.LENGTH][next],
        old[Leaf.ADDRESS][next],
        old[Leaf.POSITION][next]);
    next++;
  }

  /** Adds a new extent. */
  void add(Extent extent) {
    put(extent.offset(), extent.length(), extent.address(), extent.position());
  }

  /** Skips the old extents below an offset, and of one that is across it the part below. */
  void skipBelow(long offset) {
    while (next < oldCount && oldEnd() <= offset) {
      next++;
    }
    if (next < oldCount && old[Leaf.OFFSET][next] < offset) {
      long cut = offset - old[Leaf.OFFSET][next];
      old[Leaf.OFFSET][next] += cut;
      old[Leaf.LENGTH][next] -= cut;
      old[Leaf.POSITION][next] += cut;
    }
  }

  /** Copies all old extents that are left. */
  void copyRest() {
    isAppended = next == oldCount;
    while (next < oldCount) {
      addOld();
    }
  }

  /** Merges an extent with the one before if that goes on in it. */
  private void put(long offset, long length, long address, long position) {
    int last = count - 1;
    if (last >= 0
        && columns[Leaf.OFFSET][last] + columns[Leaf.LENGTH][last] == offset
        && columns[Leaf.ADDRESS][last] == address
        && columns[Leaf.POSITION][last] + columns[Leaf.LENGTH][last] == position) {
      columns[Leaf.LENGTH][last] += length;
      return;
    }
    columns[Leaf.OFFSET][count] = offset;
    columns[Leaf.LENGTH][count] = length;
    columns[Leaf.ADDRESS][count] = address;
    columns[Leaf.POSITION][count] = position;
    count++;
  }
}
