package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extents of one version of a byte array, in the order of their offsets. Extents do not
 * overlap; a range without an extent reads as zeros. Immutable: a change returns a new map, which
 * shares all but a few nodes with the old one. So a map for each version costs little memory.
 *
 * <p>The map is a B+-tree. Its leaves are packed: an extent takes about ten bytes. A map that was
 * read from a checkpoint has only its root in memory at first. Its other pages are read from the
 * log when they are needed, those that one call needs together. So any call may take as long as
 * reads of the log take, may fail as they do, and with {@link PageLostException}. Callers hold no
 * lock that others wait for. Thread-safe.
 */
public final class ExtentMap {

  private static final ExtentMap EMPTY = new ExtentMap(null);

  private final @Nullable PageRef root;

  private ExtentMap(@Nullable PageRef root) {
    this.root = root;
  }

  /** Returns a map without extents. */
  public static ExtentMap empty() {
    return EMPTY;
  }

  /**
   * Returns a map that is in the log. Only its root is in memory.
   *
   * @param at the place of the root's page
   * @param root the root's page
   * @throws corfu.bytes.DamagedRecordException if the bytes are no page
   */
  public static ExtentMap stored(StoredPage at, byte[] root) {
    return new ExtentMap(PageRef.to(PageCodec.decode(at, root), at));
  }

  /**
   * Passes on the extents of all pages of an entry.
   *
   * @param at the place of the first page
   * @param pages the pages, one after the other
   * @throws corfu.bytes.DamagedRecordException if the bytes are no pages
   */
  public static void forEachStored(StoredPage at, byte[] pages, Consumer<Extent> receiver) {
    PageCodec.forEachExtent(at, pages, receiver);
  }

  /**
   * The size of a map in the log.
   *
   * @param changed the bytes of the pages that a store lacks, about
   * @param all the bytes of all pages, about
   */
  public record StoredSize(long changed, long all) {

    private static final StoredSize NOTHING = new StoredSize(0, 0);

    private StoredSize plus(StoredSize more) {
      return new StoredSize(changed + more.changed, all + more.all);
    }
  }

  /** Returns this map's size in a store. Reads nothing, and looks at changed pages only. */
  public StoredSize sizeIn(PageStore store) {
    return root == null ? StoredSize.NOTHING : sizeIn(root, store);
  }

  private static StoredSize sizeIn(PageRef ref, PageStore store) {
    StoredPage here = ref.storedIn(store);
    if (here != null) {
      return new StoredSize(0, here.treeBytes());
    }
    Node node = ref.nodeInMemory();
    StoredPage elsewhere = ref.stored();
    if (node == null && elsewhere != null) {
      return new StoredSize(elsewhere.treeBytes(), elsewhere.treeBytes());
    }
    return switch (ref.node()) {
      case Leaf leaf -> new StoredSize(leaf.page().length, leaf.page().length);
      case Branch branch -> {
        long own = (long) branch.count() * PageCodec.BYTES_OF_CHILD;
        StoredSize size = new StoredSize(own, own);
        for (PageRef child : branch.children()) {
          size = size.plus(sizeIn(child, store));
        }
        yield size;
      }
    };
  }

  @Nullable PageRef root() {
    return root;
  }

  /** Returns this map with another extent in place of all that overlaps it. */
  public ExtentMap with(Extent extent) {
    return new ExtentMap(TreeUpdate.apply(root, new Extent[] {extent}));
  }

  /** Returns an extent for {@link #with(List)} that holds no bytes: its range is cleared. */
  public static Extent hole(long from, long to) {
    return new Extent(from, to - from, TreeUpdate.CLEAR, 0);
  }

  /**
   * Returns this map with other extents, each in place of all that overlaps it. If their ranges
   * ascend and do not overlap, this is one step, which is cheaper than one for each extent.
   *
   * @param extents the extents, {@linkplain #hole holes} among them; of two that overlap, the later
   *     one in the list counts
   */
  public ExtentMap with(List<Extent> extents) {
    if (TreeUpdate.isOrdered(extents)) {
      return extents.isEmpty()
          ? this
          : new ExtentMap(TreeUpdate.apply(root, TreeUpdate.joined(extents)));
    }
    ExtentMap map = this;
    for (Extent extent : extents) {
      map = map.with(extent);
    }
    return map;
  }

  /** Returns this map without the bytes from {@code from}, inclusive, to {@code to}, exclusive. */
  public ExtentMap without(long from, long to) {
    return from >= to || root == null
        ? this
        : new ExtentMap(TreeUpdate.apply(root, new Extent[] {hole(from, to)}));
  }

  /** Loads the pages that changes of these ranges will need, together. */
  public void prefetch(List<Extent> ranges) {
    if (root != null) {
      TreeUpdate.prefetch(root, ranges);
    }
  }

  /** Returns the parts of extents in a range, in the order of their offsets. */
  public List<Extent> in(long from, long to) {
    List<Extent> found = new ArrayList<>();
    visit(from, to, extent -> found.add(extent.within(from, to)));
    return found;
  }

  /** Calls the visitor with each extent, in the order of their offsets. */
  public void forEach(Consumer<Extent> visitor) {
    visit(0, Long.MAX_VALUE, visitor);
  }

  /** Neighbours in two leaves may be one extent. */
  private void visit(long from, long to, Consumer<Extent> visitor) {
    if (root == null || from >= to) {
      return;
    }
    var joining =
        new Consumer<Extent>() {
          private @Nullable Extent last;

          @Override
          public void accept(Extent next) {
            Extent before = last;
            if (before != null && before.isContinuedBy(next)) {
              last = before.plus(next);
            } else {
              end();
              last = next;
            }
          }

          void end() {
            Extent before = last;
            if (before != null) {
              visitor.accept(before);
            }
          }
        };
    visit(root, from, to, joining);
    joining.end();
  }

  private static void visit(PageRef ref, long from, long to, Consumer<Extent> visitor) {
    switch (ref.node()) {
      case Leaf leaf -> {
        for (int i = leaf.rowAt(from); i < leaf.count() && leaf.offset(i) < to; i++) {
          visitor.accept(leaf.extent(i));
        }
      }
      case Branch branch -> {
        int first = branch.childAt(from);
        int behind = first + 1;
        while (behind < branch.count() && branch.firsts()[behind] < to) {
          behind++;
        }
        branch.prefetch(first, behind);
        for (int i = first; i < behind; i++) {
          visit(branch.children()[i], from, to, visitor);
        }
      }
    }
  }

  /** Returns the first offset at or behind this one that an extent holds, or -1 if none does. */
  public long nextData(long offset) {
    return root == null ? -1 : nextData(root, offset);
  }

  private static long nextData(PageRef ref, long offset) {
    return switch (ref.node()) {
      case Leaf leaf -> {
        int row = leaf.rowAt(offset);
        yield row == leaf.count() ? -1 : Math.max(offset, leaf.offset(row));
      }
      case Branch branch -> {
        int child = branch.childAt(offset);
        if (branch.firsts()[child] > offset) {
          yield branch.firsts()[child];
        }
        long found = nextData(branch.children()[child], offset);
        yield found < 0 && child + 1 < branch.count() ? branch.firsts()[child + 1] : found;
      }
    };
  }

  /** Returns the first offset at or behind this one that no extent holds. */
  public long nextHole(long offset) {
    return root == null ? offset : nextHole(root, offset);
  }

  private static long nextHole(PageRef ref, long offset) {
    long at = offset;
    switch (ref.node()) {
      case Leaf leaf -> {
        for (int i = leaf.rowAt(at); i < leaf.count() && leaf.offset(i) <= at; i++) {
          at = leaf.end(i);
        }
      }
      case Branch branch -> {
        int child = branch.childAt(at);
        at = nextHole(branch.children()[child], at);
        if (child + 1 < branch.count() && branch.firsts()[child + 1] == at) {
          branch.prefetch(child + 1, branch.count());
        }
        while (child + 1 < branch.count() && branch.firsts()[child + 1] == at) {
          child++;
          at = nextHole(branch.children()[child], at);
        }
      }
    }
    return at;
  }
}
