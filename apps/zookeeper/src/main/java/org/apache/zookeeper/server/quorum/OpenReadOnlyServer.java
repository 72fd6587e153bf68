package org.apache.zookeeper.server.quorum;

import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * ZooKeeper's read-only server, open to other packages. ZooKeeper's classes tell clients about
 * read-only mode if their server is of its class.
 */
public abstract class OpenReadOnlyServer extends ReadOnlyZooKeeperServer {

  /**
   * Creates a server.
   *
   * @param unused an empty directory, which ZooKeeper's class wants to have
   * @param unusedPeer a peer that is never started
   */
  protected OpenReadOnlyServer(FileTxnSnapLog unused, QuorumPeer unusedPeer, ZKDatabase database) {
    super(unused, unusedPeer, database);
  }
}
