/**
 * The benchmark of Silver: the times of table 6.5 of the dissertation, and files in a mount beside
 * files in a pass-through mount of a local directory.
 */
@NullMarked
package corfu.bench.silver;

import org.jspecify.annotations.NullMarked;
