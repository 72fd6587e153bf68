package corfu.protocol;

/**
 * The number of a layout. The first layout of a cluster has epoch 1.
 *
 * @param value 0 or more
 */
public record Epoch(long value) implements Comparable<Epoch> {

  /**
   * Before the first layout: a server that has not been told any, a request that is not about one.
   */
  public static final Epoch NONE = new Epoch(0);

  /** The epoch in which servers join a new cluster; it serves from the next one on. */
  public static final Epoch FIRST = new Epoch(1);

  public Epoch {
    if (value < 0) {
      throw new IllegalArgumentException("an epoch is never negative, but this one is " + value);
    }
  }

  public Epoch next() {
    return new Epoch(Math.addExact(value, 1));
  }

  public boolean isBefore(Epoch other) {
    return value < other.value;
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
