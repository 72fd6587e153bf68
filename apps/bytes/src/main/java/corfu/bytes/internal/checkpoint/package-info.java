/** The checkpoints of byte arrays: pages of maps of extents in the log. */
@NullMarked
package corfu.bytes.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
