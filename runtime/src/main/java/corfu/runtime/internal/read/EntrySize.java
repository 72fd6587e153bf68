package corfu.runtime.internal.read;

/**
 * About how large entries are, by those that came last: so that the first request of a range asks
 * for no more than a reply has room for, and the next ones can be under way with it. Thread-safe.
 */
public final class EntrySize {

  private volatile int bytes = 1;

  /** How many entries fill this many bytes, 1 or more; very many if nothing is known. */
  int entriesIn(int room) {
    return Math.max(1, room / bytes);
  }

  void seen(long totalBytes, int entries) {
    bytes = Math.clamp(totalBytes / entries, 1, Integer.MAX_VALUE);
  }
}
