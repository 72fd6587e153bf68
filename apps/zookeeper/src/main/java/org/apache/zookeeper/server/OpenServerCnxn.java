package org.apache.zookeeper.server;

import org.jspecify.annotations.NullMarked;

/** Opens a method of ZooKeeper's connections. */
@NullMarked
public final class OpenServerCnxn {

  private OpenServerCnxn() {}

  /** Lets a connection read no further packets until its session has begun. */
  public static void disableReceiving(ServerCnxn connection) {
    connection.disableRecv();
  }
}
