/**
 * {@code corfu mirror}: copies a cluster's log into another cluster, and promotes the copy.
 *
 * <p>Enter at {@link MirrorCommand}.
 */
@NullMarked
package corfu.cli.mirror;

import org.jspecify.annotations.NullMarked;
