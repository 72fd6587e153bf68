package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import java.util.Map;
import java.util.Set;

/**
 * What a {@link Plan} has to reckon with.
 *
 * @param gone log units that the next layout must do without
 * @param silent servers that cannot issue tokens
 * @param fresh spares that have been reset and sealed, so that they may be used, with the
 *     incarnations that they have now
 * @param acceptors layout servers that live, with the incarnations that they have now
 * @param tail the address behind everything that may have been written
 * @param bound how it is known that nothing is written from the tail on
 * @param trimmedBefore everything below has been trimmed by somebody
 */
public record Circumstances(
    Set<Endpoint> gone,
    Set<Endpoint> silent,
    Map<Endpoint, Incarnation> fresh,
    Map<Endpoint, Incarnation> acceptors,
    long tail,
    TailBound bound,
    long trimmedBefore) {

  /** Why nobody can write at the tail, or behind it, in the epoch that ends. */
  public enum TailBound {
    /** A replica of each chain of the open segment has been sealed. */
    SEALED_CHAINS,
    /** The epoch's own sequencer has been sealed: it has issued no token from the tail on. */
    SEALED_SEQUENCER
  }

  public Circumstances {
    gone = Set.copyOf(gone);
    silent = Set.copyOf(silent);
    fresh = Map.copyOf(fresh);
    acceptors = Map.copyOf(acceptors);
  }

  /** Servers that are gone with all that they do. */
  public Circumstances(
      Set<Endpoint> gone,
      Map<Endpoint, Incarnation> fresh,
      Map<Endpoint, Incarnation> acceptors,
      long tail,
      long trimmedBefore) {
    this(gone, gone, fresh, acceptors, tail, TailBound.SEALED_CHAINS, trimmedBefore);
  }

  /** The same servers; a tail and trims that have been found out since. */
  public Circumstances withEnds(long newTail, long newTrimmedBefore) {
    return new Circumstances(gone, silent, fresh, acceptors, newTail, bound, newTrimmedBefore);
  }

  /** The same where the tail is known for another reason. */
  public Circumstances boundedBy(TailBound other) {
    return new Circumstances(gone, silent, fresh, acceptors, tail, other, trimmedBefore);
  }
}
