/**
 * The translation server: ZooKeeper's connections in front of a namespace's state machine.
 *
 * <p>{@code TranslationServer} submits requests and replies in the order of each connection. {@code
 * Heartbeat} vouches for the sessions of this server, and finds those that others have given up.
 */
@NullMarked
package corfu.zookeeper.server;

import org.jspecify.annotations.NullMarked;
