/** Writes the log of another cluster into a mirror. */
@NullMarked
package corfu.runtime.mirror;

import org.jspecify.annotations.NullMarked;
