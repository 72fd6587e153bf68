package corfu.protocol.message;

import corfu.protocol.Epoch;

/**
 * What a client may ask of a server; one kind for each of a server's roles, and one for the server
 * itself.
 */
public sealed interface Request extends Message
    permits LogUnitRequest, SequencerRequest, LayoutRequest, NodeRequest, ViewRequest {

  /**
   * The epoch of the layout that the client knows; {@link Epoch#NONE} where the request depends on
   * no layout.
   */
  Epoch epoch();
}
