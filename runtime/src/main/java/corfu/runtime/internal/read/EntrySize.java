package corfu.runtime.internal.read;

/**
 * An estimate of the size of entries, from the newest replies. With it, the first request of a
 * range asks for no more entries than a reply has room for, and the next requests can be in flight
 * at the same time. Thread-safe.
 */
public final class EntrySize {

  private volatile int bytes = 1;

  /**
   * Returns the number of entries that fill {@code room} bytes, 1 or more; very many before the
   * first reply.
   */
  int entriesIn(int room) {
    return Math.max(1, room / bytes);
  }

  void seen(long totalBytes, int entries) {
    bytes = Math.clamp(totalBytes / entries, 1, Integer.MAX_VALUE);
  }
}
