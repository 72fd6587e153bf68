/** Listens to log units for new entries of streams. */
@NullMarked
package corfu.runtime.internal.push;

import org.jspecify.annotations.NullMarked;
