/** Tests of the package. */
@NullMarked
package corfu.silver.internal.record;

import org.jspecify.annotations.NullMarked;
