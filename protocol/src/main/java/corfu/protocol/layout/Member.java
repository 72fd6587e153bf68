package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;

/**
 * A server of the cluster, and which life of its disk the layout relies on.
 *
 * @param incarnation {@link Incarnation#NONE} for a spare, which holds nothing that anybody needs
 */
public record Member(Endpoint endpoint, Incarnation incarnation) {

  /** A server whose disk the layout does not rely on. */
  public static Member spare(Endpoint endpoint) {
    return new Member(endpoint, Incarnation.NONE);
  }
}
