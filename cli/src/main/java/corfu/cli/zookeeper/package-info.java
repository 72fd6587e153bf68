/**
 * {@code corfu zookeeper}: serves the clients of Apache ZooKeeper from the log, and moves data
 * between ZooKeeper and the log.
 *
 * <p>Enter at {@link ZooKeeperCommand}.
 */
@NullMarked
package corfu.cli.zookeeper;

import org.jspecify.annotations.NullMarked;
