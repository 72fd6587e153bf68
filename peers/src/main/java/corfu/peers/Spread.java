package corfu.peers;

import java.util.List;

/**
 * One quantity in all rounds.
 *
 * @param rounds at least one
 */
public record Spread(List<Double> rounds) {

  public Spread {
    rounds = rounds.stream().sorted().toList();
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("there was no round");
    }
  }

  /** Of the median round; of the middle two, their mean. */
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
