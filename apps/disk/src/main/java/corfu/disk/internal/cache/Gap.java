package corfu.disk.internal.cache;

/**
 * The part of a range that a read did not find: everything from its first to its last such byte.
 * Not thread-safe.
 */
public final class Gap {

  private int start = Integer.MAX_VALUE;
  private int end;

  Gap() {}

  void add(int at, int length) {
    start = Math.min(start, at);
    end = Math.max(end, at + length);
  }

  /** Returns whether everything was found. */
  public boolean isNone() {
    return end == 0;
  }

  /** Returns the place of the first byte. */
  public int start() {
    return start;
  }

  /** Returns the number of bytes. */
  public int length() {
    return end - start;
  }
}
