/**
 * The systems that are compared, ours among them: how each is found, configured, started and
 * loaded.
 *
 * <p>Enter at {@link corfu.peers.system.Peer}; {@code Peers} knows all of them. A {@code Workshop}
 * gets hold of their programs, a {@code Site} holds the directory and the processes of one of them
 * while it runs. Nothing of theirs is ever on our class path: their jars are of other processes.
 */
@NullMarked
package corfu.peers.system;

import org.jspecify.annotations.NullMarked;
