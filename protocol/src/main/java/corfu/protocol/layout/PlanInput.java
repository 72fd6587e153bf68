package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import java.util.Map;
import java.util.Set;

/**
 * The observed state of a cluster, the input of a {@link Plan}.
 *
 * @param gone log units that the next layout must do without
 * @param silent servers that cannot issue tokens
 * @param fresh spares that have been reset and sealed and therefore may be used, with their present
 *     incarnations
 * @param acceptors live layout servers, with their present incarnations
 * @param tail the address behind everything that may have been written
 * @param bound the reason why nothing is written from the tail on
 * @param trimmedBefore the address below which some client has trimmed everything
 */
public record PlanInput(
    Set<Endpoint> gone,
    Set<Endpoint> silent,
    Map<Endpoint, Incarnation> fresh,
    Map<Endpoint, Incarnation> acceptors,
    long tail,
    TailBound bound,
    long trimmedBefore) {

  /** The reason why nobody can write at the tail, or behind it, in the ending epoch. */
  public enum TailBound {
    /** One replica or more of each chain of the open segment is sealed. */
    SEALED_CHAINS,
    /** The epoch's own sequencer is sealed: it has issued no token from the tail on. */
    SEALED_SEQUENCER
  }

  public PlanInput {
    gone = Set.copyOf(gone);
    silent = Set.copyOf(silent);
    fresh = Map.copyOf(fresh);
    acceptors = Map.copyOf(acceptors);
  }

  /** Creates circumstances in which the gone servers are also the silent ones. */
  public PlanInput(
      Set<Endpoint> gone,
      Map<Endpoint, Incarnation> fresh,
      Map<Endpoint, Incarnation> acceptors,
      long tail,
      long trimmedBefore) {
    this(gone, gone, fresh, acceptors, tail, TailBound.SEALED_CHAINS, trimmedBefore);
  }

  /** Returns the same circumstances with a tail and a trim mark that were found later. */
  public PlanInput withEnds(long newTail, long newTrimmedBefore) {
    return new PlanInput(gone, silent, fresh, acceptors, newTail, bound, newTrimmedBefore);
  }

  /** Returns the same circumstances with another reason for the tail. */
  public PlanInput boundedBy(TailBound other) {
    return new PlanInput(gone, silent, fresh, acceptors, tail, other, trimmedBefore);
  }
}
