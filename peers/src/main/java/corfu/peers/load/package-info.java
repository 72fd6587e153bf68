/**
 * The load processes: each appends to one system, Corfu or another, as it is ordered.
 *
 * <p>Enter at {@link corfu.peers.load.LoadDriver}. Every system is driven by the same loops; a
 * driver only implements {@link corfu.peers.load.PeerAppender}. Of Corfu this package uses only the
 * client, in {@code CorfuLoad}, {@code CorfuYcsb} and {@code CorfuMap}, so that it fits onto the
 * class path of any system.
 */
@NullMarked
package corfu.peers.load;

import org.jspecify.annotations.NullMarked;
