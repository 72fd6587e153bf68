package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a node, which may be in memory, in the log, or in both. Many versions of a map
 * share one. Thread-safe.
 */
final class PageRef implements PageCache.Page {

  private volatile @Nullable Node node; // null only if it is stored
  private volatile @Nullable StoredPage stored; // the last first; never null again
  private boolean isUsed; // since the cache has looked; a race does no harm

  private PageRef(@Nullable Node node, @Nullable StoredPage stored) {
    this.node = node;
    this.stored = stored;
  }

  /** Returns a reference to a new node. */
  static PageRef to(Node node) {
    return new PageRef(node, null);
  }

  /** Returns a reference to a node that the log has, too. No cache counts it. */
  static PageRef to(Node node, StoredPage page) {
    return new PageRef(node, page);
  }

  /** Returns a reference to a page of the log. */
  static PageRef to(StoredPage page) {
    return new PageRef(null, page);
  }

  /** Returns the node if memory has it. */
  @Nullable Node nodeInMemory() {
    return node;
  }

  /** Returns the node. Reads it from the log if memory has it no more. */
  Node node() {
    Node known = node;
    if (known != null) {
      if (!isUsed) {
        isUsed = true;
      }
      return known;
    }
    return load();
  }

  @Override
  public boolean takeUsed() {
    boolean was = isUsed;
    isUsed = false;
    return was;
  }

  @Override
  public void drop() {
    if (stored != null) {
      node = null;
    }
  }

  /** Returns the page's place in a store, or null if it is not there. */
  @Nullable StoredPage storedIn(PageStore store) {
    StoredPage known = stored;
    return known == null ? null : known.in(store);
  }

  /** Returns a place of the page in the log, or null if it is only in memory. */
  @Nullable StoredPage stored() {
    return stored;
  }

  /** Records that the page is in the log, from where memory may load it again. */
  void isStored(StoredPage page) {
    boolean isFirst = stored == null;
    isStoredAsRoot(page);
    Node known = node;
    if (isFirst && known != null) {
      page.store().cache().add(this, known.memoryBytes());
    }
  }

  /** Records that the page is in the log. Memory keeps it: a small map is its root. */
  void isStoredAsRoot(StoredPage page) {
    synchronized (this) {
      stored = page.before(stored);
    }
  }

  private Node load() {
    StoredPage at = stored;
    while (at != null) {
      try {
        return loaded(at, at.store().read(List.of(at)).getFirst());
      } catch (PageLostException lost) {
        if (at.other() == null) {
          throw lost;
        }
        at = at.other();
      }
    }
    throw new IllegalStateException("a page is neither in memory nor in the log");
  }

  private Node loaded(StoredPage at, byte[] bytes) {
    Node read = at.store().decoder().decode(at, bytes);
    synchronized (this) {
      Node known = node;
      if (known != null) {
        return known;
      }
      node = read;
      isUsed = true;
    }
    at.store().cache().add(this, read.memoryBytes());
    return read;
  }

  /**
   * Loads those of these pages that are not in memory, together. It only saves time: a page that
   * cannot be loaded is loaded again when it is needed.
   */
  static void prefetch(List<PageRef> refs) {
    List<PageRef> missing = new ArrayList<>();
    List<StoredPage> pages = new ArrayList<>();
    for (PageRef ref : refs) {
      StoredPage at = ref.stored;
      if (ref.node == null
          && at != null
          && (pages.isEmpty() || at.store().equals(pages.getFirst().store()))) {
        missing.add(ref);
        pages.add(at);
      }
    }
    if (missing.size() < 2) {
      return;
    }
    List<byte[]> read;
    try {
      read = pages.getFirst().store().read(pages);
    } catch (PageLostException later) {
      return; // the one that is needed is loaded alone, perhaps from another stream
    }
    for (int i = 0; i < missing.size(); i++) {
      var unused = missing.get(i).loaded(pages.get(i), read.get(i));
    }
  }
}
