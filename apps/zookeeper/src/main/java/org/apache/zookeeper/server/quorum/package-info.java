/**
 * A door into ZooKeeper's package: {@link org.apache.zookeeper.server.quorum.OpenReadOnlyServer}
 * makes a constructor visible that only its own package may call.
 */
@NullMarked
package org.apache.zookeeper.server.quorum;

import org.jspecify.annotations.NullMarked;
