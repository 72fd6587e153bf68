/**
 * What runs in a process of its own and appends to one system, ours or another, as it is told.
 *
 * <p>Enter at {@link corfu.peers.load.LoadDriver}. Every system is driven by the same loops; a
 * driver says only how an {@link corfu.peers.load.Appender} appends. This package uses nothing of
 * Corfu but its client in {@code CorfuLoad}, {@code CorfuYcsb} and {@code CorfuMap}, so that it
 * fits onto the class path of any system.
 */
@NullMarked
package corfu.peers.load;

import org.jspecify.annotations.NullMarked;
