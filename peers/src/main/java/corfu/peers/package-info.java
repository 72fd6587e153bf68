/**
 * Ours beside other systems, in the same run.
 *
 * <p>Enter at {@link corfu.peers.PeersBenchmark}. A {@code MatchUp} is ours and one other system,
 * each started for the same {@code Arrangement} of copies and durability and loaded by a process of
 * its own with the same loops, which take turns; what came of it is a {@link
 * corfu.peers.PeerReport}. {@link corfu.peers.YcsbBenchmark} and {@link corfu.peers.MapsBenchmark}
 * do the same with the store and with replicated maps; an {@code Encounter} is what all three
 * share.
 */
@NullMarked
package corfu.peers;

import org.jspecify.annotations.NullMarked;
