package corfu.protocol;

/**
 * The number of a layout. The first layout of a cluster has epoch 1.
 *
 * @param value the epoch number, 0 or more
 */
public record Epoch(long value) implements Comparable<Epoch> {

  /**
   * The epoch before the first layout: of a server without a layout, or of a request that depends
   * on no layout.
   */
  public static final Epoch NONE = new Epoch(0);

  /** The epoch in which servers join a new cluster. The cluster serves from the next epoch on. */
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
