/**
 * How commands reach a cluster, and the servers of one by their names.
 *
 * <p>Enter at {@link ConnectionOptions} to use a cluster, at {@link AdminClient} to inspect or
 * change it.
 */
@NullMarked
package corfu.cli.connection;

import org.jspecify.annotations.NullMarked;
