/**
 * Mirrors: plays the log of one cluster, or some of its streams, into another one, at the same
 * addresses, so that the other one is at every moment what the first was a while ago (CORFU,
 * section 4). Enter at {@link Mirror}; what it may refuse is a {@link MirrorException}.
 */
@NullMarked
package corfu.mirror;

import org.jspecify.annotations.NullMarked;
