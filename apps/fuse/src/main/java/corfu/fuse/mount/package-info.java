/**
 * Mounts a file system and serves the kernel's requests. Enter at {@link
 * corfu.fuse.mount.FuseMount}.
 *
 * <p>Each worker thread blocks in a read of its own descriptor of the device, calls the file
 * system, and writes the reply: two system calls for each request.
 */
@NullMarked
package corfu.fuse.mount;

import org.jspecify.annotations.NullMarked;
