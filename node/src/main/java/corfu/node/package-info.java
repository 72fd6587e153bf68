/**
 * One process of a cluster, or a whole cluster inside one process.
 *
 * <p>Enter at {@link corfu.node.Node}, which is one server over TCP, or at {@link
 * corfu.node.EmbeddedCluster}. {@link corfu.node.ClusterConfig} has the configuration of all
 * servers.
 */
@NullMarked
package corfu.node;

import org.jspecify.annotations.NullMarked;
