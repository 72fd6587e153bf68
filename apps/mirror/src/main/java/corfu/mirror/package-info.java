/**
 * Mirrors: copies of one cluster's log, or of some of its streams, in another cluster at the same
 * addresses (CORFU, section 4). A mirror always holds a consistent prefix of its source. Enter at
 * {@link Mirror}; it fails with a {@link MirrorException}.
 */
@NullMarked
package corfu.mirror;

import org.jspecify.annotations.NullMarked;
