package org.apache.zookeeper.server;

/** Opens a method of ZooKeeper's connections. */
public final class OpenServerCnxn {

  private OpenServerCnxn() {}

  /** Lets a connection read no further packets until its session has begun. */
  public static void disableReceiving(ServerCnxn connection) {
    connection.disableRecv();
  }
}
