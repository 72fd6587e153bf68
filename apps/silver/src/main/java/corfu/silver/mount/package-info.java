/** Mounts of file systems by FUSE. */
@NullMarked
package corfu.silver.mount;

import org.jspecify.annotations.NullMarked;
