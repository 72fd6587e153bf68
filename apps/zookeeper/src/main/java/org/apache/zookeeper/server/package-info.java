/**
 * A door into ZooKeeper's package, for what only its own package may call: {@link
 * org.apache.zookeeper.server.BoundedNettyConnectionFactory} has the port with TLS, {@link
 * org.apache.zookeeper.server.OpenServerConf} makes the AdminServer's configuration, and {@link
 * org.apache.zookeeper.server.OpenServerCnxn} pauses a connection.
 */
@NullMarked
package org.apache.zookeeper.server;

import org.jspecify.annotations.NullMarked;
