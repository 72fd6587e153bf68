/**
 * The process that loads ensembles of ZooKeeper servers. It reads orders from its standard input
 * and answers each with a line. Its clients are ZooKeeper's own, for all systems alike.
 *
 * <p>Enter at {@link corfu.bench.zookeeper.load.EnsembleLoad}.
 */
@NullMarked
package corfu.bench.zookeeper.load;

import org.jspecify.annotations.NullMarked;
