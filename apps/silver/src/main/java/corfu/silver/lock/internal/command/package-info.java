/** The commands of the state machine of locks, and their bytes. */
@NullMarked
package corfu.silver.lock.internal.command;

import org.jspecify.annotations.NullMarked;
