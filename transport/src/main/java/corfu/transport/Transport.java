package corfu.transport;

import corfu.protocol.Endpoint;

/** A client's way to servers. Thread-safe. */
public interface Transport extends AutoCloseable {

  /** The server that listens there; always the same object. Connects when it is first used. */
  Peer peer(Endpoint endpoint);

  /** Closes all connections; what is in flight fails. */
  @Override
  void close();
}
