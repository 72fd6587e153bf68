/**
 * Locks of byte ranges and of whole files, for file systems that manage their own. Enter at {@link
 * corfu.fuse.lock.LockTable}.
 */
@NullMarked
package corfu.fuse.lock;

import org.jspecify.annotations.NullMarked;
