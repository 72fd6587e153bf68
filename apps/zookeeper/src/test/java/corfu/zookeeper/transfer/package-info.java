/** Tests of imports and exports, with servers of Apache ZooKeeper itself on the other side. */
@NullMarked
package corfu.zookeeper.transfer;

import org.jspecify.annotations.NullMarked;
