/**
 * {@code corfu cluster}: starts, kills, restarts, extends and stops clusters of processes on this
 * machine.
 *
 * <p>Enter at {@link ClusterCommand}.
 */
@NullMarked
package corfu.cli.cluster;

import org.jspecify.annotations.NullMarked;
