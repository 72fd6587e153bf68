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
 * @param trimmedBefore everything below has been trimmed by somebody
 */
public record Circumstances(
    Set<Endpoint> gone,
    Set<Endpoint> silent,
    Map<Endpoint, Incarnation> fresh,
    Map<Endpoint, Incarnation> acceptors,
    long tail,
    long trimmedBefore) {

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
    this(gone, gone, fresh, acceptors, tail, trimmedBefore);
  }

  /** The same servers; a tail and trims that have been found out since. */
  public Circumstances withEnds(long newTail, long newTrimmedBefore) {
    return new Circumstances(gone, silent, fresh, acceptors, newTail, newTrimmedBefore);
  }
}
