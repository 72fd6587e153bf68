package corfu.bytes.internal.extent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a map to the log: those pages that the log lacks, and others that are too old. Pages that
 * others refer to come first. The root is always written, and last. For one thread, once.
 */
public final class TreeWriter {

  /**
   * An entry that has been appended.
   *
   * @param address its log address
   * @param place its place in the stream of checkpoints
   */
  public record Appended(long address, long place) {}

  /**
   * The rules for pages of the log to which a map may still refer. Others are written anew.
   *
   * @param fromPlace the least place of their entries in the stream of checkpoints
   * @param fromBytes the least number of bytes of checkpoints before these entries
   * @param written the number of bytes of checkpoints in the stream now
   */
  public record Fresh(long fromPlace, long fromBytes, long written) {

    private boolean has(StoredPage page) {
      return page.oldestPlace() >= fromPlace
          && page.oldestAt() >= fromBytes
          && page.oldestAt() <= written;
    }
  }

  /**
   * The end of a written map, which the caller appends in an entry of its own.
   *
   * @param pages the last pages, that of the root at the end
   * @param rootAt the index of the root's page among these bytes
   * @param oldestPlace the least place of another entry with pages of the map; empty if all are in
   *     this one
   * @param oldestAt the least number of bytes of checkpoints before an entry with pages of the map
   * @param treeBytes the bytes of all pages
   * @param writtenBefore the bytes of checkpoints before this entry
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Tail(
      byte[] pages,
      int rootAt,
      OptionalLong oldestPlace,
      long oldestAt,
      long treeBytes,
      long writtenBefore) {}

  private static final long HERE = Long.MAX_VALUE; // a place that is known later

  /** The most bytes of pages in front of the root's page in its entry. */
  private static final int MOST_IN_TAIL = 12 << 10;

  /** A page that is in the log, or that waits for its entry to be appended. */
  private static final class Spot {
    private final PageRef ref;
    private final int position;
    private final int bytes;
    private final long oldestPlace;
    private final long oldestAt;
    private final long treeBytes;
    private @Nullable StoredPage known;

    Spot(PageRef ref, int position, int bytes, long oldestPlace, long oldestAt, long treeBytes) {
      this.ref = ref;
      this.position = position;
      this.bytes = bytes;
      this.oldestPlace = oldestPlace;
      this.oldestAt = oldestAt;
      this.treeBytes = treeBytes;
    }

    static Spot of(PageRef ref, StoredPage page) {
      Spot spot =
          new Spot(
              ref,
              page.position(),
              page.bytes(),
              page.oldestPlace(),
              page.oldestAt(),
              page.treeBytes());
      spot.known = page;
      return spot;
    }

    /** Returns the least place of the subtree, or HERE. */
    long oldest() {
      StoredPage page = known;
      return page == null ? oldestPlace : page.oldestPlace();
    }

    PageCodec.Child child() {
      StoredPage page = known;
      return new PageCodec.Child(
          page == null,
          oldest() == HERE,
          page == null ? 0 : page.address(),
          page == null ? 0 : page.place(),
          position,
          bytes,
          oldest(),
          oldestAt,
          treeBytes);
    }

    StoredPage isAt(PageStore store, Appended entry) {
      StoredPage page =
          new StoredPage(
              store,
              entry.address(),
              entry.place(),
              position,
              bytes,
              Math.min(oldestPlace, entry.place()),
              oldestAt,
              treeBytes,
              null);
      known = page;
      return page;
    }
  }

  private final PageStore store;
  private final Fresh fresh;
  private final int headerBytes;
  private final int mostBytes;
  private final Function<ByteBuffer, Appended> append;
  private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
  private final List<Spot> waiting = new ArrayList<>();
  private long written;

  /**
   * @param store the array's pages in the log
   * @param headerBytes the bytes of each entry in front of its pages
   * @param mostBytes the most bytes of pages in an entry, 3,584 or more
   * @param append appends an entry of pages
   */
  public TreeWriter(
      PageStore store,
      Fresh fresh,
      int headerBytes,
      int mostBytes,
      Function<ByteBuffer, Appended> append) {
    this.store = store;
    this.fresh = fresh;
    this.headerBytes = headerBytes;
    this.mostBytes = mostBytes;
    this.append = append;
    this.written = fresh.written();
  }

  /** Writes all but the end of a map. */
  public Tail write(ExtentMap map) {
    PageRef root = map.root();
    if (root == null) {
      return new Tail(new byte[0], 0, OptionalLong.empty(), written, 0, written);
    }
    Spot spot = writeNode(root, true);
    long oldest = spot.oldest();
    return new Tail(
        pages.toByteArray(),
        spot.position - headerBytes,
        oldest == HERE ? OptionalLong.empty() : OptionalLong.of(oldest),
        spot.oldestAt,
        spot.treeBytes,
        written);
  }

  /** Records that the end was appended. */
  public void isAppended(Appended entry) {
    if (!waiting.isEmpty()) {
      Spot root = waiting.removeLast();
      root.ref.isStoredAsRoot(root.isAt(store, entry));
      areStored(entry);
    }
  }

  private void areStored(Appended entry) {
    waiting.forEach(spot -> spot.ref.isStored(spot.isAt(store, entry)));
    waiting.clear();
  }

  private Spot write(PageRef ref) {
    StoredPage page = ref.storedIn(store);
    return page != null && fresh.has(page) ? Spot.of(ref, page) : writeNode(ref, false);
  }

  private Spot writeNode(PageRef ref, boolean isRoot) {
    return switch (ref.node()) {
      case Leaf leaf -> {
        makeRoom(leaf.page().length, isRoot);
        yield add(ref, leaf.page(), HERE, written, 0);
      }
      case Branch branch -> writeBranch(ref, branch, isRoot);
    };
  }

  private Spot writeBranch(PageRef ref, Branch branch, boolean isRoot) {
    List<PageRef> stale = new ArrayList<>();
    for (PageRef child : branch.children()) {
      StoredPage page = child.storedIn(store);
      if (page == null || !fresh.has(page)) {
        stale.add(child);
      }
    }
    PageRef.prefetch(stale);
    List<Spot> spots = new ArrayList<>(branch.count());
    for (PageRef child : branch.children()) {
      spots.add(write(child));
    }
    makeRoom(PageCodec.MOST_BRANCH_BYTES, isRoot);
    PageCodec.Child[] children = new PageCodec.Child[spots.size()];
    long oldest = HERE;
    long oldestAt = written;
    long bytes = 0;
    for (int i = 0; i < children.length; i++) {
      Spot spot = spots.get(i);
      children[i] = spot.child();
      oldest = Math.min(oldest, spot.oldest());
      oldestAt = Math.min(oldestAt, spot.oldestAt);
      bytes += spot.treeBytes;
    }
    return add(ref, PageCodec.encode(branch, children), oldest, oldestAt, bytes);
  }

  /** A reader of the root should not need to read much more than that. */
  private void makeRoom(int bytes, boolean isRoot) {
    int most = isRoot ? Math.min(mostBytes, MOST_IN_TAIL) : mostBytes;
    if (pages.size() > 0 && pages.size() + bytes > most) {
      flush();
    }
  }

  private void flush() {
    ByteBuffer entry = ByteBuffer.wrap(pages.toByteArray());
    areStored(append.apply(entry));
    written += headerBytes + entry.capacity();
    pages.reset();
  }

  private Spot add(PageRef ref, byte[] page, long oldest, long oldestAt, long bytesBelow) {
    int position = headerBytes + pages.size();
    Spot spot = new Spot(ref, position, page.length, oldest, oldestAt, bytesBelow + page.length);
    pages.writeBytes(page);
    waiting.add(spot);
    return spot;
  }
}
