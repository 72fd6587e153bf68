package org.apache.zookeeper.server;

import org.jspecify.annotations.NullMarked;

/** Makes ZooKeeper's record of a server's configuration. */
@NullMarked
public final class OpenServerConf {

  private OpenServerConf() {}

  /**
   * Returns the configuration of a server.
   *
   * @param store the name of the place that has the server's data, in place of a directory
   */
  public static ZooKeeperServerConf of(ZooKeeperServer server, String store) {
    return new ZooKeeperServerConf(
        server.getClientPort(),
        store,
        store,
        server.getTickTime(),
        server.getMaxClientCnxnsPerHost(),
        server.getMinSessionTimeout(),
        server.getMaxSessionTimeout(),
        server.getServerId(),
        server.getClientPortListenBacklog());
  }
}
