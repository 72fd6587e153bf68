/** Tests of file systems. */
@NullMarked
package corfu.silver;

import org.jspecify.annotations.NullMarked;
