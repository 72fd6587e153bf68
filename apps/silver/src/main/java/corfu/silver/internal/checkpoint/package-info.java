/** The checkpoints of nodes: whole states in the log, so that older entries are not needed. */
@NullMarked
package corfu.silver.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
