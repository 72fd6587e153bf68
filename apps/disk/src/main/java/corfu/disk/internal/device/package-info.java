/**
 * A disk as a block device. Enter at {@code SharedDisk}: one per disk that a server writes. {@code
 * WriteBuffer} is the disk's volatile cache; {@code PastDevice} shows a version.
 */
@NullMarked
package corfu.disk.internal.device;

import org.jspecify.annotations.NullMarked;
