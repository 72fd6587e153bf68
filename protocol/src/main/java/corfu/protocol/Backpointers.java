package corfu.protocol;

import java.util.Arrays;

/**
 * The log addresses of a stream's newest entries before some place in it, the newest first; up to
 * {@link #MOST} (dissertation, section 4.1). Immutable.
 */
public final class Backpointers {

  /** The paper's K. */
  public static final int MOST = 4;

  /** Of a place before which the stream has nothing, as far as anybody knows. */
  public static final Backpointers NONE = new Backpointers(new long[0]);

  private final long[] addresses;

  private Backpointers(long[] addresses) {
    this.addresses = addresses;
  }

  /**
   * These addresses.
   *
   * @throws IllegalArgumentException if they are more than {@link #MOST}, or negative, or do not
   *     descend
   */
  public static Backpointers of(long... addresses) {
    if (addresses.length > MOST) {
      throw new IllegalArgumentException(
          addresses.length + " backpointers, where " + MOST + " are the most");
    }
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] < 0 || (i > 0 && addresses[i] >= addresses[i - 1])) {
        throw new IllegalArgumentException(
            "backpointers descend, and none is negative: " + Arrays.toString(addresses));
      }
    }
    return addresses.length == 0 ? NONE : new Backpointers(addresses.clone());
  }

  public int count() {
    return addresses.length;
  }

  /** From 0, the newest, to {@code count() - 1}. */
  public long at(int index) {
    return addresses[index];
  }

  public boolean isEmpty() {
    return addresses.length == 0;
  }

  /** What they are behind a newer entry at this address: the oldest makes room. */
  public Backpointers behind(long newest) {
    int count = Math.min(MOST, addresses.length + 1);
    long[] more = new long[count];
    more[0] = newest;
    System.arraycopy(addresses, 0, more, 1, count - 1);
    return of(more);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Backpointers pointers && Arrays.equals(addresses, pointers.addresses);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(addresses);
  }

  @Override
  public String toString() {
    return Arrays.toString(addresses);
  }
}
