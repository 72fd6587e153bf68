/**
 * A file system as an application implements it. Enter at {@link corfu.fuse.FileSystem}; {@code
 * corfu.fuse.mount} mounts it.
 */
@NullMarked
package corfu.fuse;

import org.jspecify.annotations.NullMarked;
