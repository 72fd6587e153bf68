/**
 * Ours beside other systems, in the same run.
 *
 * <p>Enter at {@link corfu.peers.PeersBenchmark}. A {@code MatchUp} is ours and one other system,
 * each started for the same {@code Arrangement} of copies and durability and loaded by a process of
 * its own with the same loops, which take turns; what came of it is a {@link
 * corfu.peers.PeerReport}.
 */
@NullMarked
package corfu.peers;

import org.jspecify.annotations.NullMarked;
