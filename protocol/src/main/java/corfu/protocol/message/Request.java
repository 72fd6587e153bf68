package corfu.protocol.message;

import corfu.protocol.Epoch;

/**
 * The requests of a client to a server: one kind for each of a server's roles, and one for the
 * server itself.
 */
public sealed interface Request extends Message
    permits LogUnitRequest, SequencerRequest, LayoutRequest, NodeRequest, ViewRequest {

  /**
   * Returns the epoch of the client's layout, or {@link Epoch#NONE} if the request depends on no
   * layout.
   */
  Epoch epoch();
}
