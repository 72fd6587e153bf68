/**
 * Copies missing data to replicas: whole segments, and entries that a disk has damaged. Enter at
 * {@code Rebuild} and {@code EntryRepair}. For operators of a cluster.
 */
@NullMarked
package corfu.runtime.rebuild;

import org.jspecify.annotations.NullMarked;
