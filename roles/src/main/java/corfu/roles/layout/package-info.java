/**
 * The layout server: acceptor and learner of layouts, one consensus decision an epoch.
 *
 * <p>Enter at {@link corfu.roles.layout.LayoutServer}, which answers requests one after the other.
 * {@code LayoutState} is what a server has promised, accepted and learned, with the rules of Paxos
 * as a pure function; {@code LayoutFile} keeps it on a disk that may fail, tear and rot. {@code
 * Grants} and {@code SignsOfLife} are what it knows of the servers, as long as it runs; {@code
 * Witness}, how far the disks of log units were, of which {@code WitnessFile} keeps what is some
 * seconds old.
 */
@NullMarked
package corfu.roles.layout;

import org.jspecify.annotations.NullMarked;
