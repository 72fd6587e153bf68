/**
 * Compares two services with ZooKeeper's protocol: random programs must have the same results.
 * Enter at {@link corfu.zookeeper.differential.Differential}.
 */
@NullMarked
package corfu.zookeeper.differential;

import org.jspecify.annotations.NullMarked;
