package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Subtrees of the same height in their order, while a tree is being changed. For one thread. */
final class TreeLevel {

  /** Neighbours are merged if together they have at most this share of the most: 3/4. */
  private static final int MERGED_NUMERATOR = 3;

  private static final int MERGED_DENOMINATOR = 4;

  private final List<PageRef> children = new ArrayList<>();
  private long[] firsts = new long[Branch.MOST];
  private boolean isLastNew;

  long[] firsts() {
    return firsts;
  }

  List<PageRef> children() {
    return children;
  }

  int count() {
    return children.size();
  }

  /** Adds a subtree as it was. */
  void addOld(PageRef child, long first) {
    add(child, first, false);
  }

  /** Adds a new subtree. */
  void addNew(Node node) {
    add(PageRef.to(node), node.first(), true);
  }

  /** A tree of many small leaves would need more memory. So neighbours of new ones are merged. */
  private void add(PageRef child, long first, boolean isNew) {
    if (count() > 0 && (isNew || isLastNew)) {
      Node last = children.getLast().nodeInMemory();
      Node next = child.nodeInMemory();
      if (last != null && next != null && isMerged(last, next)) {
        Node merged = merged(last, next);
        children.set(count() - 1, PageRef.to(merged));
        isLastNew = true;
        return;
      }
    }
    if (count() == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * firsts.length);
    }
    firsts[count()] = first;
    children.add(child);
    isLastNew = isNew;
  }

  private static boolean isMerged(Node one, Node two) {
    int most = one instanceof Leaf ? Leaf.MOST : Branch.MOST;
    return one.count() + two.count() <= most * MERGED_NUMERATOR / MERGED_DENOMINATOR;
  }

  private static Node merged(Node one, Node two) {
    if (one instanceof Leaf left && two instanceof Leaf right) {
      int count = left.count() + right.count();
      long[][] columns = new long[Leaf.COLUMNS][count];
      left.copyTo(columns, 0);
      right.copyTo(columns, left.count());
      return Leaf.of(columns, 0, count);
    }
    TreeLevel both = new TreeLevel();
    for (Node node : new Node[] {one, two}) {
      Branch branch = (Branch) node;
      for (int i = 0; i < branch.count(); i++) {
        both.addOld(branch.children()[i], branch.firsts()[i]);
      }
    }
    return Branch.of(both, 0, both.count());
  }

  /**
   * Adds branches of these subtrees to the level above.
   *
   * @param isAppended whether the last ones are new, so that more will follow them
   */
  void addTo(TreeLevel above, boolean isAppended) {
    int[] sizes = sizes(count(), Branch.MOST, isAppended);
    int from = 0;
    for (int size : sizes) {
      above.addNew(Branch.of(this, from, from + size));
      from += size;
    }
  }

  /**
   * Returns the sizes of the nodes into which entries are divided: equal, or full ones if more
   * entries will follow.
   */
  static int[] sizes(int entries, int most, boolean isAppended) {
    int[] sizes = new int[Math.ceilDiv(entries, most)];
    int rest = entries;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = isAppended ? Math.min(most, rest) : Math.ceilDiv(rest, sizes.length - i);
      rest -= sizes[i];
    }
    return sizes;
  }
}
