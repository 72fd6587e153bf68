/**
 * How a class says what its methods do to it (dissertation, section 5.3). On the methods of a class
 * or of an interface; a method that is overridden keeps what was said of it.
 */
@NullMarked
package corfu.objects.annotation;

import org.jspecify.annotations.NullMarked;
