/** The checkpoints of byte arrays: whole maps of extents in the log. */
@NullMarked
package corfu.bytes.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
