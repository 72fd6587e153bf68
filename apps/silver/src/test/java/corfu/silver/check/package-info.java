/** Tests of file systems. */
@NullMarked
package corfu.silver.check;

import org.jspecify.annotations.NullMarked;
