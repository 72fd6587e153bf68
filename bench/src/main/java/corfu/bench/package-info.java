/** Measures, and says beside every figure what the machine could do at best. */
@NullMarked
package corfu.bench;

import org.jspecify.annotations.NullMarked;
