package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.HashSet;
import java.util.List;

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

  public Endpoint head() {
    return replicas.getFirst();
  }

  public Endpoint tail() {
    return replicas.getLast();
  }
}
