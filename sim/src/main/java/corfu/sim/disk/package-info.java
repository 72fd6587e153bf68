/**
 * Simulated disks. Enter at {@code SimDisk}: it loses power, fills up and fails. {@code DiskFaults}
 * decides which writes and reads go wrong, and {@code CorruptRanges} keeps where a file reads
 * wrong.
 */
@NullMarked
package corfu.sim.disk;

import org.jspecify.annotations.NullMarked;
