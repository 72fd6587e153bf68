package corfu.sim.world;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The random generator of one part of a simulation. The same seed gives the same numbers on every
 * machine.
 */
public final class SimRandom {

  private final SplittableRandom random;

  public SimRandom(long seed) {
    this(new SplittableRandom(seed));
  }

  private SimRandom(SplittableRandom random) {
    this.random = random;
  }

  /**
   * Returns another generator. So a part that draws more numbers does not change those of other
   * parts.
   */
  public SimRandom split() {
    return new SimRandom(random.split());
  }

  public RandomGenerator generator() {
    return random;
  }

  public long nextLong() {
    return random.nextLong();
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a number from {@code low} to {@code high}. */
  public long between(long low, long high) {
    return random.nextLong(low, high + 1);
  }

  /** Returns a number from {@code low} to {@code high}, more often a low one. */
  public long mostlyNear(long low, long high) {
    return between(low, between(low, between(low, high)));
  }

  public boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  public boolean perMille(int share) {
    return random.nextInt(1000) < share;
  }

  public <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
