/**
 * System calls of Linux through the FFM API. Enter at {@link corfu.fuse.linux.SystemCalls} for
 * devices and mounts, and at {@link corfu.fuse.linux.FileCalls} for files.
 *
 * <p>A call returns its result, or a negated error number, as the kernel itself does. No call
 * throws for an error of the kernel.
 */
@NullMarked
package corfu.fuse.linux;

import org.jspecify.annotations.NullMarked;
