/**
 * The architecture's rules: which modules may import which, which code may use time and random
 * numbers, and the format of sources.
 */
@NullMarked
package corfu.architecture;

import org.jspecify.annotations.NullMarked;
