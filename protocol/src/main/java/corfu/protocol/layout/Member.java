package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;

/**
 * A server of the cluster, with the life of its disk on which the layout relies.
 *
 * @param endpoint the server's endpoint
 * @param incarnation the life of its disk; {@link Incarnation#NONE} for a spare, which holds
 *     nothing that anybody needs
 * @param retiring whether the server shall leave as soon as others hold its data
 */
public record Member(Endpoint endpoint, Incarnation incarnation, boolean retiring) {

  /** Creates a server that shall stay. */
  public Member(Endpoint endpoint, Incarnation incarnation) {
    this(endpoint, incarnation, false);
  }

  /** Returns a server on whose disk the layout does not rely. */
  public static Member spare(Endpoint endpoint) {
    return new Member(endpoint, Incarnation.NONE);
  }

  Member withIncarnation(Incarnation other) {
    return new Member(endpoint, other, retiring);
  }
}
