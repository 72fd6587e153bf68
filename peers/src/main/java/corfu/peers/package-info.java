/**
 * Compares Corfu with other systems in the same run.
 *
 * <p>Enter at {@link corfu.peers.PeersBenchmark}. A {@code AppendComparison} starts Corfu and one
 * other system with the same {@code Arrangement} of copies and durability. Each system has its own
 * load process with the same loops; the two take turns. The result is a {@link
 * corfu.peers.PeerReport}. {@link corfu.peers.YcsbBenchmark} and {@link corfu.peers.MapsBenchmark}
 * do the same with the store and with replicated maps; all three use {@code PeerComparison}.
 */
@NullMarked
package corfu.peers;

import org.jspecify.annotations.NullMarked;
