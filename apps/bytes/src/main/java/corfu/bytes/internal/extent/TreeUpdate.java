package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of a tree of extents: ranges are cleared, and get extents. Only the nodes on the way
 * to the ends of ranges are replaced. For one thread, once.
 */
final class TreeUpdate {

  /** The address of an edit that only clears its range. */
  static final long CLEAR = -1;

  /** The most pages that are loaded together. */
  private static final int MOST_TOGETHER = 256;

  private final Extent[] edits;

  /**
   * @param edits what replaces which ranges, in the order of their offsets, without overlaps
   */
  private TreeUpdate(Extent[] edits) {
    this.edits = edits;
  }

  /** Returns the root of the changed tree, or null if it is empty. */
  static @Nullable PageRef apply(@Nullable PageRef root, Extent[] edits) {
    TreeUpdate update = new TreeUpdate(edits);
    TreeLevel level = new TreeLevel();
    if (root == null) {
      update.addLeaves(update.merged(null, Long.MIN_VALUE, Long.MAX_VALUE, 0, edits.length), level);
    } else {
      if (edits.length > 1) {
        update.prefetch(root);
      }
      update.change(root, Long.MIN_VALUE, Long.MAX_VALUE, 0, edits.length, level);
    }
    while (level.count() > 1) {
      TreeLevel above = new TreeLevel();
      level.addTo(above, true);
      level = above;
    }
    return level.count() == 0 ? null : collapsed(level.children().getFirst());
  }

  /** Loads the pages that changes of these ranges will need. */
  static void prefetch(PageRef root, List<Extent> ranges) {
    Extent[] ordered = ranges.toArray(Extent[]::new);
    Arrays.sort(ordered, Comparator.comparingLong(Extent::offset));
    new TreeUpdate(ordered).prefetch(root);
  }

  private static PageRef collapsed(PageRef root) {
    PageRef top = root;
    while (top.nodeInMemory() instanceof Branch branch && branch.count() == 1) {
      top = branch.children()[0];
    }
    return top;
  }

  /** A page that some edits need. */
  private record Needed(PageRef ref, int from, int to) {}

  /** Loads the pages that the ends of ranges need, level by level. */
  private void prefetch(PageRef root) {
    List<Needed> level = List.of(new Needed(root, 0, edits.length));
    while (!level.isEmpty()) {
      List<PageRef> refs = level.stream().map(Needed::ref).toList();
      for (int from = 0; from < refs.size(); from += MOST_TOGETHER) {
        PageRef.prefetch(refs.subList(from, Math.min(refs.size(), from + MOST_TOGETHER)));
      }
      List<Needed> below = new ArrayList<>();
      for (Needed needed : level) {
        if (needed.ref.node() instanceof Branch branch) {
          addNeeded(branch, needed, below);
        }
      }
      level = below;
    }
  }

  /** The children in which ranges begin and end; those between are not needed. */
  private void addNeeded(Branch branch, Needed of, List<Needed> below) {
    int last = -1;
    for (int i = of.from; i < of.to; i++) {
      int begin = branch.childAt(edits[i].offset());
      int end = branch.childAt(edits[i].end() - 1);
      if (begin != last) {
        below.add(new Needed(branch.children()[begin], i, i + 1));
      } else {
        below.set(
            below.size() - 1, new Needed(branch.children()[begin], below.getLast().from, i + 1));
      }
      if (end != begin) {
        below.add(new Needed(branch.children()[end], i, i + 1));
      }
      last = end;
    }
  }

  /**
   * Changes a subtree.
   *
   * @param low the least offset for which it gets extents
   * @param high the offset behind all of which it holds bytes
   * @param from the first edit that touches it
   * @param to the edit behind the last one
   * @param into receives what becomes of it, at its height
   */
  private void change(PageRef ref, long low, long high, int from, int to, TreeLevel into) {
    switch (ref.node()) {
      case Leaf leaf -> changeLeaf(leaf, low, high, from, to, into);
      case Branch branch -> changeBranch(branch, low, high, from, to, into);
    }
  }

  private void changeBranch(Branch branch, long low, long high, int from, int to, TreeLevel into) {
    TreeLevel level = new TreeLevel();
    int count = branch.count();
    int next = from;
    int child = 0;
    while (child < count) {
      long itsLow = child == 0 ? low : branch.firsts()[child];
      long itsHigh = child == count - 1 ? high : branch.firsts()[child + 1];
      while (next < to && edits[next].end() <= itsLow) {
        next++;
      }
      int behind = next;
      while (behind < to && edits[behind].offset() < itsHigh) {
        behind++;
      }
      PageRef ref = branch.children()[child];
      if (next == behind) {
        level.addOld(ref, branch.firsts()[child]);
      } else if (!isCleared(branch.firsts()[child], itsLow, itsHigh, edits[next])) {
        change(ref, itsLow, itsHigh, next, behind, level);
      } // else nothing is left of it, and it need not be loaded
      child++;
    }
    if (level.count() > 0) {
      level.addTo(into, isAppended(high, to));
    }
  }

  /** Returns whether an edit replaces all extents of a subtree, and puts none there itself. */
  private static boolean isCleared(long first, long low, long high, Extent edit) {
    return edit.offset() <= first
        && edit.end() >= high
        && (edit.address() == CLEAR || edit.offset() < low);
  }

  private boolean isAppended(long high, int to) {
    return high == Long.MAX_VALUE && to == edits.length;
  }

  private void changeLeaf(Leaf leaf, long low, long high, int from, int to, TreeLevel into) {
    if (to - from == 1 && edits[from].offset() >= low && edits[from].address() != CLEAR) {
      Leaf replaced = leaf.replaced(edits[from]);
      if (replaced != null) {
        into.addNew(replaced);
        return;
      }
    }
    addLeaves(merged(leaf, low, high, from, to), into);
  }

  private void addLeaves(LeafBuilder built, TreeLevel into) {
    int from = 0;
    for (int size : TreeLevel.sizes(built.count(), Leaf.MOST, built.isAppended())) {
      into.addNew(Leaf.of(built.columns(), from, from + size));
      from += size;
    }
  }

  /** Returns the extents of a leaf after the edits. */
  private LeafBuilder merged(@Nullable Leaf leaf, long low, long high, int from, int to) {
    LeafBuilder built = new LeafBuilder(leaf, to - from);
    for (int i = from; i < to; i++) {
      Extent edit = edits[i];
      built.copyBelow(edit.offset());
      if (edit.address() != CLEAR && edit.offset() >= low && edit.offset() < high) {
        built.add(edit);
      }
      built.skipBelow(edit.end());
    }
    built.copyRest();
    return built;
  }

  /** Returns edits in the order of a list, if their ranges ascend without overlaps. */
  static boolean isOrdered(List<Extent> edits) {
    for (int i = 1; i < edits.size(); i++) {
      if (edits.get(i).offset() < edits.get(i - 1).end()) {
        return false;
      }
    }
    return true;
  }

  /** Returns extents with neighbours merged that continue each other in the same entry. */
  static Extent[] joined(List<Extent> extents) {
    List<Extent> joined = new ArrayList<>(extents.size());
    for (Extent next : extents) {
      if (!joined.isEmpty() && joined.getLast().isContinuedBy(next)) {
        joined.add(joined.removeLast().plus(next));
      } else {
        joined.add(next);
      }
    }
    return joined.toArray(Extent[]::new);
  }
}
