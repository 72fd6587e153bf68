package corfu.bytes.internal.extent;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the memory of those pages that the log has, too. At the limit, it drops the pages that
 * were not used for the longest time, about: it is a clock with one hand. Pages that changed since
 * the last checkpoint are not among them. Thread-safe.
 */
public final class PageCache {

  /** A page that memory and the log have. */
  interface Page {

    /** Returns whether the page was used since the last call. */
    boolean takeUsed();

    /** Gives up the memory of the page. */
    void drop();
  }

  /** A page in memory. It is weak: a page that no version needs is no burden. */
  private static final class Loaded extends WeakReference<Page> {
    private final int bytes;

    Loaded(Page page, int bytes) {
      super(page);
      this.bytes = bytes;
    }
  }

  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final ArrayDeque<Loaded> clock = new ArrayDeque<>();
  private long bytes;

  /**
   * @param mostBytes the most bytes of memory of loaded pages, 0 or more
   */
  public PageCache(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Counts a page that is in memory and in the log. May drop it or others from memory. */
  void add(Page page, int itsBytes) {
    lock.lock();
    try {
      clock.addLast(new Loaded(page, itsBytes));
      bytes += itsBytes;
      int chances = clock.size();
      while (bytes > mostBytes && !clock.isEmpty()) {
        Loaded oldest = clock.removeFirst();
        Page known = oldest.get();
        if (known != null && known.takeUsed() && chances-- > 0) {
          clock.addLast(oldest);
        } else {
          bytes -= oldest.bytes;
          if (known != null) {
            known.drop();
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of the pages in memory, at most; some of them no version needs any more. */
  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
