package corfu.bytes.internal.extent;

import org.jspecify.annotations.Nullable;

/**
 * The place of a page in the log, and what is known of its subtree there. Immutable.
 *
 * @param store the array in whose stream of checkpoints the page is
 * @param address the log address of its entry
 * @param place the place of that entry in the stream of checkpoints
 * @param position the position of the page's first byte in the entry's payload
 * @param bytes the length of the page
 * @param oldestPlace the least place of an entry that holds a page of the subtree
 * @param oldestAt the least number of bytes of checkpoints that were in the stream before such an
 *     entry
 * @param treeBytes the length of all pages of the subtree
 * @param other the page's place in another stream, if it has any
 */
public record StoredPage(
    PageStore store,
    long address,
    long place,
    int position,
    int bytes,
    long oldestPlace,
    long oldestAt,
    long treeBytes,
    @Nullable StoredPage other) {

  /** The number of streams in which the place of a page is remembered. */
  private static final int MOST_STREAMS = 4;

  /** Returns the page's place in a stream, or null if it has none there. */
  @Nullable StoredPage in(PageStore wanted) {
    StoredPage at = this;
    while (at != null && !at.store.equals(wanted)) {
      at = at.other;
    }
    return at;
  }

  /** Returns this place in front of those of other streams. */
  StoredPage before(@Nullable StoredPage known) {
    return copy(this, rest(known, MOST_STREAMS - 1));
  }

  private @Nullable StoredPage rest(@Nullable StoredPage known, int most) {
    if (known == null || most == 0) {
      return null;
    }
    return known.store.equals(store)
        ? rest(known.other, most)
        : copy(known, rest(known.other, most - 1));
  }

  private static StoredPage copy(StoredPage page, @Nullable StoredPage other) {
    return new StoredPage(
        page.store,
        page.address,
        page.place,
        page.position,
        page.bytes,
        page.oldestPlace,
        page.oldestAt,
        page.treeBytes,
        other);
  }
}
