package corfu.bytes.internal.extent;

import java.util.Arrays;
import java.util.List;

/**
 * Some subtrees of the same height that follow each other. Immutable.
 *
 * @param firsts the offset of the first byte of each child's first extent
 * @param children the children
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Branch(long[] firsts, PageRef[] children) implements Node {

  /** The most children of a branch. */
  static final int MOST = 56;

  private static final int MEMORY_BYTES = 48;
  private static final int MEMORY_BYTES_OF_CHILD = 108; // with its reference and its place

  static Branch of(TreeLevel level, int from, int to) {
    return new Branch(
        Arrays.copyOfRange(level.firsts(), from, to),
        level.children().subList(from, to).toArray(PageRef[]::new));
  }

  @Override
  public int count() {
    return children.length;
  }

  @Override
  public long first() {
    return firsts[0];
  }

  @Override
  public int memoryBytes() {
    return MEMORY_BYTES + children.length * MEMORY_BYTES_OF_CHILD;
  }

  /** Returns the index of the child in which an extent at an offset would be; 0 if before all. */
  int childAt(long offset) {
    int low = 0;
    int high = firsts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (firsts[middle] <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  /** Returns the offset behind all of which a child may hold bytes. */
  long endOf(int child) {
    return child + 1 < firsts.length ? firsts[child + 1] : Long.MAX_VALUE;
  }

  /** Loads some children together. */
  void prefetch(int from, int to) {
    PageRef.prefetch(List.of(children).subList(from, to));
  }
}
