/** The entries of the stream of a byte array. */
@NullMarked
package corfu.bytes.internal.record;

import org.jspecify.annotations.NullMarked;
