/** Opens package-private methods of ZooKeeper's connections to tests. */
@NullMarked
package org.apache.zookeeper.server;

import org.jspecify.annotations.NullMarked;
