/**
 * A file system that passes every request on to a local directory. Enter at {@link
 * corfu.fuse.passthrough.PassThrough}; benchmarks compare other file systems with it.
 */
@NullMarked
package corfu.fuse.passthrough;

import org.jspecify.annotations.NullMarked;
