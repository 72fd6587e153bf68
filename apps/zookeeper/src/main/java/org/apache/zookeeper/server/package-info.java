/**
 * A door into ZooKeeper's package, for what only its own package may call: {@link
 * org.apache.zookeeper.server.BoundedNettyConnectionFactory} has the port with TLS, {@link
 * org.apache.zookeeper.server.OpenServerConf} makes the AdminServer's configuration, and {@link
 * org.apache.zookeeper.server.OpenServerCnxn} pauses a connection.
 *
 * <p>The classes here are marked one by one, because ZooKeeper's own classes of this package are
 * not.
 */
package org.apache.zookeeper.server;
