/** Tests that run the shipped program from outside. Each sub-package proves one property. */
@NullMarked
package corfu.proof;

import org.jspecify.annotations.NullMarked;
