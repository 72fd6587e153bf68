package corfu.bench.harness;

import corfu.bench.harness.PartResult.Value;
import java.util.Arrays;
import java.util.List;

/** Has two sides carry out the same in turns, after a warm-up of one turn each. */
public final class RateTurns {

  private final int rounds;

  public RateTurns(int rounds) {
    this.rounds = rounds;
  }

  /** A turn; returns its rate. */
  @FunctionalInterface
  public interface Turn {
    double rate(int round) throws Exception;
  }

  /** The median rates of both sides. */
  public record Medians(double ours, double other) {

    /** Returns the rates and their ratio, with these names. */
    public List<Value> values(String oursName, String otherName) {
      return List.of(
          new Value(oursName, ours), new Value(otherName, other), new Value("ratio", ours / other));
    }
  }

  public Medians compare(Turn ours, Turn other) throws Exception {
    double[] first = new double[rounds];
    double[] second = new double[rounds];
    double unused = ours.rate(0) + other.rate(0);
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        first[round] = ours.rate(round + 1);
        second[round] = other.rate(round + 1);
      } else {
        second[round] = other.rate(round + 1);
        first[round] = ours.rate(round + 1);
      }
    }
    return new Medians(median(first), median(second));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
