/**
 * The layout server: acceptor and learner of layouts, with one consensus decision for each epoch.
 *
 * <p>Enter at {@link corfu.roles.layout.LayoutServer}, which answers requests one after the other.
 * {@code LayoutState} holds the server's promises, accepted proposals and learned layouts, with the
 * rules of Paxos as a pure function. {@code LayoutFile} stores the state on a disk that may fail,
 * tear and rot. {@code LeaseGrants} and {@code Heartbeats} hold the server's knowledge of other
 * servers while it runs. {@code DiskProgress} holds the progress of log units' disks, and {@code
 * DiskProgressFile} stores a version of it that is some seconds old.
 */
@NullMarked
package corfu.roles.layout;

import org.jspecify.annotations.NullMarked;
