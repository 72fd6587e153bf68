/**
 * The systems that are compared, Corfu among them: how each is configured, started and loaded.
 *
 * <p>Enter at {@link corfu.peers.system.PeerSystem}; {@code Peers} lists all of them. A {@code
 * PeerSite} holds the directory and the processes of one running system. {@link
 * corfu.peers.program} gets their programs. Their jars are only on the class paths of other
 * processes, never on Corfu's own.
 */
@NullMarked
package corfu.peers.system;

import org.jspecify.annotations.NullMarked;
