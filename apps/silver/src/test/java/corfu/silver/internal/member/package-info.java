/** Tests of the package. */
@NullMarked
package corfu.silver.internal.member;

import org.jspecify.annotations.NullMarked;
