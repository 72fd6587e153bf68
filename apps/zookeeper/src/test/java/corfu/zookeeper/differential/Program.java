package corfu.zookeeper.differential;

import java.util.List;
import java.util.stream.Collectors;

/** Steps of several sessions. */
record Program(List<Step> steps) {

  /** Returns the number of requests, connects and session ends. */
  int operations() {
    return steps.stream()
        .mapToInt(step -> step instanceof Step.Send send ? send.requests().size() : 1)
        .sum();
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining("\n"));
  }
}
