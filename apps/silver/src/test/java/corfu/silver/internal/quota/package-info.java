/** Tests of file systems. */
@NullMarked
package corfu.silver.internal.quota;

import org.jspecify.annotations.NullMarked;
