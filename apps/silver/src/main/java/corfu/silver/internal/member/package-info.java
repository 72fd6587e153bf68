/** The clients that may change a file system, and whether this one is alone. */
@NullMarked
package corfu.silver.internal.member;

import org.jspecify.annotations.NullMarked;
