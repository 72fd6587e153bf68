/**
 * The service with the protocol of ZooKeeper beside Apache ZooKeeper, in turns in the same run: the
 * table 6.1 and the figures 6.3 and 6.4 of the dissertation, and some more.
 *
 * <p>Enter at {@link corfu.bench.zookeeper.ZooKeeperBenchmark}. {@link
 * corfu.bench.zookeeper.Ensemble} is a system under load.
 */
@NullMarked
package corfu.bench.zookeeper;

import org.jspecify.annotations.NullMarked;
