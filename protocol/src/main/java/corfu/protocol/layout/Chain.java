package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The replicas of one stripe, in the order in which they are written.
 *
 * @param replicas none twice; nobody where all log replicas are lost, until what they held has been
 *     copied from stream replicas
 */
public record Chain(List<Endpoint> replicas) {

  public Chain {
    replicas = List.copyOf(replicas);
    if (new HashSet<>(replicas).size() < replicas.size()) {
      throw new IllegalArgumentException(
          "a chain has no replica twice, but this one is " + replicas);
    }
  }

  /** Whether nobody is left in it: a log chain may be, where streams have replicas of their own. */
  public boolean isLost() {
    return replicas.isEmpty();
  }

  /** What is left of it without these. */
  Chain without(Set<Endpoint> gone) {
    List<Endpoint> left = new ArrayList<>(replicas);
    left.removeAll(gone);
    return new Chain(left);
  }

  /**
   * The first replica, which decides.
   *
   * @throws LostChainException if there is none
   */
  public Endpoint head() {
    checkThatSomebodyIsLeft();
    return replicas.getFirst();
  }

  /**
   * The last replica: what it holds is on all of them.
   *
   * @throws LostChainException if there is none
   */
  public Endpoint tail() {
    checkThatSomebodyIsLeft();
    return replicas.getLast();
  }

  private void checkThatSomebodyIsLeft() {
    if (isLost()) {
      throw new LostChainException(
          "all log replicas of a stripe are lost; what they held is being copied from the replicas"
              + " of its streams");
    }
  }
}
