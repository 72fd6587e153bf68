package corfu.protocol;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The log addresses of a stream's newest entries before some place in the stream: up to {@link
 * #MOST}, the newest first (dissertation, section 4.1). Immutable.
 */
public final class Backpointers {

  /** K in the dissertation: the largest number of backpointers. */
  public static final int MOST = 4;

  /** No backpointers: no entry of the stream is known before the place. */
  public static final Backpointers NONE = new Backpointers(0, 0, 0, 0, 0);

  private final int count;
  private final long first;
  private final long second;
  private final long third;
  private final long fourth;

  private Backpointers(int count, long first, long second, long third, long fourth) {
    this.count = count;
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
  }

  /**
   * Returns backpointers to these addresses, the newest first.
   *
   * @throws IllegalArgumentException if there are more than {@link #MOST} addresses, if one is
   *     negative, or if they do not descend
   */
  public static Backpointers of(long... addresses) {
    int count = addresses.length;
    if (count > MOST) {
      throw new IllegalArgumentException(count + " backpointers, where " + MOST + " are the most");
    }
    for (int i = 0; i < count; i++) {
      if (addresses[i] < 0 || (i > 0 && addresses[i] >= addresses[i - 1])) {
        throw new IllegalArgumentException(
            "backpointers descend, and none is negative: " + Arrays.toString(addresses));
      }
    }
    return count == 0
        ? NONE
        : new Backpointers(
            count,
            addresses[0],
            count > 1 ? addresses[1] : 0,
            count > 2 ? addresses[2] : 0,
            count > 3 ? addresses[3] : 0);
  }

  public int count() {
    return count;
  }

  /** Returns the log address at an index, from 0 (the newest entry) to {@code count() - 1}. */
  public long at(int index) {
    return switch (Objects.checkIndex(index, count)) {
      case 0 -> first;
      case 1 -> second;
      case 2 -> third;
      default -> fourth;
    };
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Returns the backpointers of the place behind a newer entry at this address. If there are {@link
   * #MOST} already, the oldest one is dropped.
   */
  public Backpointers behind(long newest) {
    if (newest < 0 || (count > 0 && newest <= first)) {
      throw new IllegalArgumentException("backpointers descend: " + newest + " before " + this);
    }
    return new Backpointers(
        Math.min(MOST, count + 1),
        /* first= */ newest,
        /* second= */ first,
        /* third= */ second,
        /* fourth= */ third);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Backpointers pointers
        && count == pointers.count
        && first == pointers.first
        && second == pointers.second
        && third == pointers.third
        && fourth == pointers.fourth;
  }

  @Override
  public int hashCode() {
    return Objects.hash(count, first, second, third, fourth);
  }

  @Override
  public String toString() {
    return IntStream.range(0, count)
        .mapToObj(i -> Long.toString(at(i)))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
