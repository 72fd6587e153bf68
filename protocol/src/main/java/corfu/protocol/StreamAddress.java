package corfu.protocol;

/**
 * A position in a stream. A later entry of a stream has a higher stream address and a higher log
 * address. Stream addresses usually count up from 0. Some are skipped where a writer died or the
 * layout changed.
 *
 * @param value the stream address, 0 or more; never higher than the log address of the same entry
 */
public record StreamAddress(long value) implements Comparable<StreamAddress> {

  public static final StreamAddress ZERO = new StreamAddress(0);

  public StreamAddress {
    if (value < 0) {
      throw new IllegalArgumentException(
          "a stream address is never negative, but this one is " + value);
    }
  }

  public StreamAddress plus(long distance) {
    return new StreamAddress(Math.addExact(value, distance));
  }

  @Override
  public int compareTo(StreamAddress other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
