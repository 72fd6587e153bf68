package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The replicas of one stripe, in the order in which they are written.
 *
 * @param replicas the log units, each once. Empty if all log replicas are lost and their entries
 *     have not been copied from stream replicas yet
 */
public record Chain(List<Endpoint> replicas) {

  public Chain {
    replicas = List.copyOf(replicas);
    if (new HashSet<>(replicas).size() < replicas.size()) {
      throw new IllegalArgumentException(
          "a chain has no replica twice, but this one is " + replicas);
    }
  }

  /**
   * Returns whether the chain has no replica left. A log chain may be lost if streams have replicas
   * of their own.
   */
  public boolean isLost() {
    return replicas.isEmpty();
  }

  /** Returns the chain without these units. */
  Chain without(Set<Endpoint> gone) {
    List<Endpoint> left = new ArrayList<>(replicas);
    left.removeAll(gone);
    return new Chain(left);
  }

  /**
   * Returns the first replica, which decides.
   *
   * @throws LostChainException if the chain has no replica
   */
  public Endpoint head() {
    checkThatSomebodyIsLeft();
    return replicas.getFirst();
  }

  /**
   * Returns the last replica: all replicas hold its entries.
   *
   * @throws LostChainException if the chain has no replica
   */
  public Endpoint tail() {
    checkThatSomebodyIsLeft();
    return replicas.getLast();
  }

  private void checkThatSomebodyIsLeft() {
    if (isLost()) {
      throw new LostChainException(
          "all log replicas of a stripe are lost; their entries are being copied from the replicas"
              + " of its streams");
    }
  }
}
