package corfu.zookeeper.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Removes steps and requests from a program as long as the services still differ. */
final class Shrinker {

  private static final int MAX_RUNS = 600;

  private final Differential differential;
  private int runs;

  Shrinker(Differential differential) {
    this.differential = differential;
  }

  /** Returns a difference whose program has no step or request too many, or few of them. */
  Difference shrink(Difference original) throws IOException {
    Difference smallest = original;
    int before;
    do {
      before = smallest.program().operations();
      smallest = withoutSteps(smallest);
      smallest = withoutRequests(smallest);
    } while (smallest.program().operations() < before && runs < MAX_RUNS);
    return smallest;
  }

  private Difference withoutSteps(Difference difference) throws IOException {
    Difference smallest = difference;
    for (int length = Math.max(1, smallest.program().steps().size() / 2); length > 0; length /= 2) {
      int start = 0;
      while (start < smallest.program().steps().size()) {
        List<Step> fewer = without(smallest.program().steps(), start, length);
        Optional<Difference> still = compare(smallest, fewer);
        if (still.isPresent()) {
          smallest = still.get();
        } else {
          start += length;
        }
      }
    }
    return smallest;
  }

  private Difference withoutRequests(Difference difference) throws IOException {
    Difference smallest = difference;
    for (int i = 0; i < smallest.program().steps().size(); i++) {
      int request = 0;
      while (smallest.program().steps().get(i) instanceof Step.Send send
          && request < send.requests().size()
          && send.requests().size() > 1) {
        List<Step> fewer = new ArrayList<>(smallest.program().steps());
        fewer.set(i, new Step.Send(send.session(), without(send.requests(), request, 1)));
        Optional<Difference> still = compare(smallest, fewer);
        if (still.isPresent()) {
          smallest = still.get();
        } else {
          request++;
        }
      }
    }
    return smallest;
  }

  private Optional<Difference> compare(Difference last, List<Step> steps) throws IOException {
    if (runs++ >= MAX_RUNS) {
      return Optional.empty();
    }
    return differential.compare(last.seed(), new Program(List.copyOf(steps)));
  }

  private static <T> List<T> without(List<T> list, int start, int length) {
    List<T> rest = new ArrayList<>(list.subList(0, start));
    rest.addAll(list.subList(Math.min(list.size(), start + length), list.size()));
    return rest;
  }
}
