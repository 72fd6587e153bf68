/** The space that a byte array takes in the log, entry by entry. */
@NullMarked
package corfu.bytes.internal.space;

import org.jspecify.annotations.NullMarked;
