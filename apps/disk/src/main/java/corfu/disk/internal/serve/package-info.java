/**
 * The disks that a server has open. Enter at {@code OpenDisks}; {@code DiskArrays} finds the bytes
 * of a disk, and its writer.
 */
@NullMarked
package corfu.disk.internal.serve;

import org.jspecify.annotations.NullMarked;
