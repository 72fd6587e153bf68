/**
 * Gives replicas the data that they lack: whole segments, and entries that a disk has damaged.
 * Enter at {@code Rebuild} and {@code EntryRepair}. For those who run a cluster.
 */
@NullMarked
package corfu.runtime.rebuild;

import org.jspecify.annotations.NullMarked;
