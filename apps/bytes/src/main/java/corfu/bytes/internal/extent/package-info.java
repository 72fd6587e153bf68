/** Maps of the extents of a byte array, one for each version. */
@NullMarked
package corfu.bytes.internal.extent;

import org.jspecify.annotations.NullMarked;
