package corfu.protocol;

/**
 * A position in the global log.
 *
 * @param value the log address, 0 or more
 */
public record Address(long value) implements Comparable<Address> {

  public static final Address ZERO = new Address(0);

  public Address {
    if (value < 0) {
      throw new IllegalArgumentException(
          "a log address is never negative, but this one is " + value);
    }
  }

  public Address plus(long distance) {
    return new Address(Math.addExact(value, distance));
  }

  @Override
  public int compareTo(Address other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
