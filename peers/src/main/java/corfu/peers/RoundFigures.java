package corfu.peers;

import java.util.List;

/**
 * The values of one quantity over all rounds.
 *
 * @param rounds at least one value
 */
public record RoundFigures(List<Double> rounds) {

  public RoundFigures {
    rounds = rounds.stream().sorted().toList();
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("there was no round");
    }
  }

  /** Returns the median, or the mean of the middle two values if their number is even. */
  public double median() {
    int middle = rounds.size() / 2;
    return rounds.size() % 2 == 1
        ? rounds.get(middle)
        : (rounds.get(middle - 1) + rounds.get(middle)) / 2;
  }

  public double least() {
    return rounds.getFirst();
  }

  public double most() {
    return rounds.getLast();
  }
}
