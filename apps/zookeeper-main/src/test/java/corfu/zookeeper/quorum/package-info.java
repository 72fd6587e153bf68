/** Tests of ZooKeeper's main class as this project provides it. */
@NullMarked
package corfu.zookeeper.quorum;

import org.jspecify.annotations.NullMarked;
