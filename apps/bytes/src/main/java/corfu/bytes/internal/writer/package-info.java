/** The only writer of a byte array, which applies its own entries without reading them. */
@NullMarked
package corfu.bytes.internal.writer;

import org.jspecify.annotations.NullMarked;
