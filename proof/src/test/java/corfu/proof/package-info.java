/** Tests that drive the shipped thing from outside. */
@NullMarked
package corfu.proof;

import org.jspecify.annotations.NullMarked;
