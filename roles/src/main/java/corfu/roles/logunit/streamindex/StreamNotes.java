package corfu.roles.logunit.streamindex;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The mean size of each stream's entries, and the stream's owner: notes beside the stream's record
 * that quotas need. They take eight bytes for each stream, and four more where a stream has an
 * owner. Not thread-safe.
 */
final class StreamNotes {

  /** The number of records whose notes lie together. */
  private static final int TOGETHER = 1 << Blocks.PAGE_SHIFT;

  private @Nullable Page[] pages = new @Nullable Page[16];

  private static final class Page {
    final float[] means = new float[TOGETHER];
    final int[] counts = new int[TOGETHER];
    int @Nullable [] owners;
  }

  private static int slot(int record) {
    return record & TOGETHER - 1;
  }

  private @Nullable Page find(int record) {
    int number = record >>> Blocks.PAGE_SHIFT;
    return number < pages.length ? pages[number] : null;
  }

  private Page page(int record) {
    int number = record >>> Blocks.PAGE_SHIFT;
    if (number >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(number + 1, 2 * pages.length));
    }
    Page page = pages[number];
    if (page == null) {
      page = new Page();
      pages[number] = page;
    }
    return page;
  }

  /** Counts an entry of a stream, with its size in bytes. */
  void add(int record, int bytes) {
    Page page = page(record);
    int slot = slot(record);
    int count = page.counts[slot];
    if (count < Integer.MAX_VALUE) {
      page.counts[slot] = count + 1;
    }
    page.means[slot] += (bytes - page.means[slot]) / page.counts[slot];
  }

  /** Returns the mean size of a stream's entries in bytes, or 0 if none was counted. */
  double meanBytes(int record) {
    Page page = find(record);
    return page == null ? 0 : page.means[slot(record)];
  }

  /** Returns the owner of a stream, or 0. */
  int owner(int record) {
    Page page = find(record);
    int[] owners = page == null ? null : page.owners;
    return owners == null ? 0 : owners[slot(record)];
  }

  void own(int record, int owner) {
    Page page = page(record);
    int[] owners = page.owners;
    if (owners == null) {
      owners = new int[TOGETHER];
      page.owners = owners;
    }
    owners[slot(record)] = owner;
  }

  /** Forgets the notes of a record that begins anew. */
  void clear(int record) {
    Page page = find(record);
    if (page != null) {
      int slot = slot(record);
      page.counts[slot] = 0;
      page.means[slot] = 0;
      if (page.owners != null) {
        page.owners[slot] = 0;
      }
    }
  }

  /** Returns an estimate of the memory in bytes. */
  long memoryBytes() {
    long bytes = 0;
    for (Page page : pages) {
      if (page != null) {
        bytes += TOGETHER * (page.owners == null ? 8L : 12L);
      }
    }
    return bytes;
  }
}
