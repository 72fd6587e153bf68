/**
 * ZooKeeper's main class under its own name. {@link
 * org.apache.zookeeper.server.quorum.QuorumPeerMain} starts a translation server from a {@code
 * zoo.cfg}, if this jar comes before ZooKeeper's on the class path.
 */
@NullMarked
package org.apache.zookeeper.server.quorum;

import org.jspecify.annotations.NullMarked;
