/** The read protocol: batches, ranges, and reads that wait for writers. */
@NullMarked
package corfu.runtime.internal.read;

import org.jspecify.annotations.NullMarked;
