/** Maps of the extents of a byte array, one for each version, in memory and as pages of the log. */
@NullMarked
package corfu.bytes.internal.extent;

import org.jspecify.annotations.NullMarked;
