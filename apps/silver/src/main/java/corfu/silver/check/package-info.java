/**
 * Compares versions of a file system, checks the invariants of one version, and finds removed
 * files.
 *
 * <p>Enter at {@link TreeCheck}, {@link TreeDiff} or {@link RemovedPath}.
 */
@NullMarked
package corfu.silver.check;

import org.jspecify.annotations.NullMarked;
