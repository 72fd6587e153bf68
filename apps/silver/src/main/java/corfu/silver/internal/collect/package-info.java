/**
 * Gives up the history of a file system before a version, and frees its space.
 *
 * <p>Enter at {@link Collector}.
 */
@NullMarked
package corfu.silver.internal.collect;

import org.jspecify.annotations.NullMarked;
