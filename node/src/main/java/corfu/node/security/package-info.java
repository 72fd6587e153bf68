/**
 * The encryption of a cluster's connections: its keys of the configuration file, the rule about
 * addresses to listen on, and certificates of clusters on one machine.
 *
 * <p>Enter at {@link ClusterSecurity}.
 */
@NullMarked
package corfu.node.security;

import org.jspecify.annotations.NullMarked;
