/**
 * A client that sends and receives single packets of ZooKeeper's protocol, in the order that a test
 * chooses. Enter at {@link corfu.zookeeper.wire.Connection}.
 */
@NullMarked
package corfu.zookeeper.wire;

import org.jspecify.annotations.NullMarked;
