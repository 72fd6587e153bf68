/** The write protocol: batches of appends, from their tokens to the ends of their chains. */
@NullMarked
package corfu.runtime.internal.append;

import org.jspecify.annotations.NullMarked;
