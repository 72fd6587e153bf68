/** The operations on a file system: each is one entry of the log, or none. */
@NullMarked
package corfu.silver.internal.operation;

import org.jspecify.annotations.NullMarked;
