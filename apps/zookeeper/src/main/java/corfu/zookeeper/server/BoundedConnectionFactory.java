package corfu.zookeeper.server;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.zookeeper.server.NIOServerCnxnFactory;

/** Listens for clients, whose connections have bounded memory. */
public final class BoundedConnectionFactory extends NIOServerCnxnFactory {

  @Override
  protected NIOServerCnxn createConnection(
      SocketChannel socket, SelectionKey key, SelectorThread selector) throws IOException {
    return new BoundedConnection(zkServer, socket, key, this, selector);
  }
}
