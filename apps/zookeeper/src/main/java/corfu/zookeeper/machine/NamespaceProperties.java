package corfu.zookeeper.machine;

import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * The system properties of ZooKeeper on which all servers of a namespace must agree: TTL nodes
 * exist, and quotas are enforced. Otherwise servers would apply the same command differently.
 *
 * <p>ZooKeeper's classes read them once, when they are loaded.
 */
public final class NamespaceProperties {

  private static final String EXTENDED_TYPES = "zookeeper.extendedTypesEnabled";

  private NamespaceProperties() {}

  /**
   * Sets the properties. Called before classes of ZooKeeper's server are used.
   *
   * @throws IllegalStateException if ZooKeeper's classes were loaded without them
   */
  public static void set() {
    System.setProperty(EXTENDED_TYPES, "true");
    System.setProperty(ZooKeeperServer.ENFORCE_QUOTA, "true");
    if (!ZooKeeperServer.enforceQuota) {
      throw new IllegalStateException(
          "ZooKeeper's server was loaded without %s=true; set this system property at the start"
              .formatted(ZooKeeperServer.ENFORCE_QUOTA));
    }
  }
}
