/**
 * Connections of commands to a cluster, and the names of its servers.
 *
 * <p>Enter at {@link ConnectionOptions} to use a cluster, at {@link AdminClient} to inspect or
 * change it.
 */
@NullMarked
package corfu.cli.connection;

import org.jspecify.annotations.NullMarked;
