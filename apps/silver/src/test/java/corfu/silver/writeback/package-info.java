/** Tests of the package. */
@NullMarked
package corfu.silver.writeback;

import org.jspecify.annotations.NullMarked;
