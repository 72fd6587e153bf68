package corfu.transport;

import corfu.protocol.Endpoint;

/** A client's access to servers. Thread-safe. */
public interface Transport extends AutoCloseable {

  /** Returns the server at an endpoint; always the same object. Connects at the first use. */
  Peer peer(Endpoint endpoint);

  /** Closes all connections. Requests in flight fail. */
  @Override
  void close();
}
