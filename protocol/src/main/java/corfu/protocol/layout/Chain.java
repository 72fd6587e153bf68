package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The replicas of one stripe, in the order in which they are written.
 *
 * @param replicas one or more, none twice
 */
public record Chain(List<Endpoint> replicas) {

  public Chain {
    replicas = List.copyOf(replicas);
    if (replicas.isEmpty() || new HashSet<>(replicas).size() < replicas.size()) {
      throw new IllegalArgumentException(
          "a chain has one or more replicas and none twice, but this one is " + replicas);
    }
  }

  /** What is left of it without these; empty if nobody is. */
  Optional<Chain> without(Set<Endpoint> gone) {
    List<Endpoint> left = new ArrayList<>(replicas);
    left.removeAll(gone);
    return left.isEmpty() ? Optional.empty() : Optional.of(new Chain(left));
  }

  public Endpoint head() {
    return replicas.getFirst();
  }

  public Endpoint tail() {
    return replicas.getLast();
  }
}
