/**
 * Locks of byte ranges and of whole files that all mounts of a file system share. Enter at {@link
 * corfu.silver.lock.MountLocks}.
 */
@NullMarked
package corfu.silver.lock;

import org.jspecify.annotations.NullMarked;
