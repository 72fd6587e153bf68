/**
 * The replicated state of the locks of a file system. Enter at {@link
 * corfu.silver.lock.internal.machine.LockMachine}.
 */
@NullMarked
package corfu.silver.lock.internal.machine;

import org.jspecify.annotations.NullMarked;
