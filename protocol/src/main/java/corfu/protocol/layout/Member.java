package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;

/**
 * A server of the cluster, and which life of its disk the layout relies on.
 *
 * @param incarnation {@link Incarnation#NONE} for a spare, which holds nothing that anybody needs
 * @param retiring whether it shall leave as soon as others hold what it holds
 */
public record Member(Endpoint endpoint, Incarnation incarnation, boolean retiring) {

  /** A server that shall stay. */
  public Member(Endpoint endpoint, Incarnation incarnation) {
    this(endpoint, incarnation, false);
  }

  /** A server whose disk the layout does not rely on. */
  public static Member spare(Endpoint endpoint) {
    return new Member(endpoint, Incarnation.NONE);
  }

  Member withIncarnation(Incarnation other) {
    return new Member(endpoint, other, retiring);
  }
}
