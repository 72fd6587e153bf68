package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.composed.Branch.Children;
import corfu.objects.composed.Branch.Found;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Splits the nodes of a tree that are full, from the root downwards, each in one transaction. */
final class Splits<K extends Comparable<? super K>, V> {

  /** Steps at one time; a tree has a few levels. */
  private static final int MOST_STEPS = 64;

  private final NodeTree<K, V> tree;
  private final Parts parts;
  private final ComposedTreeType<K, V> type;

  Splits(NodeTree<K, V> tree, Parts parts, ComposedTreeType<K, V> type) {
    this.tree = tree;
    this.parts = parts;
    this.type = type;
  }

  /** Puts in order what is on the way to a key. */
  void tidy(K key) {
    for (int i = 0; i < MOST_STEPS; i++) {
      if (!parts.transact(() -> step(key))) {
        return;
      }
    }
  }

  /** False: there is nothing to do. */
  private boolean step(K key) {
    Branch<K> branch = tree.root();
    if (branch.children().ids().size() > type.branchSize()) {
      splitRoot(branch);
      return true;
    }
    while (true) {
      Found found = branch.find(key);
      if (found.child().isEmpty()) {
        return false;
      }
      StreamId child = found.child().get();
      if (found.level() == 1) {
        return tidyLeaf(branch, child);
      }
      Branch<K> lower = tree.branch(child);
      if (lower.children().ids().size() > type.branchSize()) {
        splitBranch(branch, child, lower);
        return true;
      }
      branch = lower;
    }
  }

  /** Its children go to two new branches, so that its id stays the tree's. */
  private void splitRoot(Branch<K> root) {
    Children<K> all = root.children();
    int half = all.ids().size() / 2;
    StreamId low = parts.newId();
    StreamId high = parts.newId();
    make(low, all, 0, half);
    make(high, all, half, all.ids().size());
    root.become(all.level() + 1, List.of(low, high), List.of(all.separators().get(half - 1)));
  }

  private void splitBranch(Branch<K> parent, StreamId id, Branch<K> full) {
    Children<K> all = full.children();
    int half = all.ids().size() / 2;
    StreamId high = parts.newId();
    make(high, all, half, all.ids().size());
    full.become(all.level(), all.ids().subList(0, half), all.separators().subList(0, half - 1));
    parent.adopt(id, all.separators().get(half - 1), high);
  }

  private void make(StreamId id, Children<K> all, int from, int to) {
    tree.branch(id)
        .become(all.level(), all.ids().subList(from, to), all.separators().subList(from, to - 1));
  }

  private boolean tidyLeaf(Branch<K> parent, StreamId id) {
    ReplicatedRangeMap<K, V> leaf = tree.leaf(id);
    NavigableMap<K, V> entries = leaf.snapshot();
    if (entries.size() > type.leafSize()) {
      splitLeaf(parent, id, leaf, entries);
      return true;
    }
    if (entries.isEmpty() && parent.children().ids().size() > 1) {
      parent.disown(id);
      return true;
    }
    return false;
  }

  private void splitLeaf(
      Branch<K> parent, StreamId id, ReplicatedRangeMap<K, V> leaf, NavigableMap<K, V> entries) {
    TreeMap<K, V> moved = new TreeMap<>();
    int kept = entries.size() / 2;
    int place = 0;
    for (Map.Entry<K, V> entry : entries.entrySet()) {
      if (place >= kept) {
        moved.put(entry.getKey(), entry.getValue());
      }
      place++;
    }
    K separator = moved.firstKey();
    K last = entries.lastKey();
    StreamId high = parts.newId();
    tree.leaf(high).putAll(moved);
    leaf.removeRange(separator, last);
    leaf.fastRemove(last);
    parent.adopt(id, separator, high);
  }
}
