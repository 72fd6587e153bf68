/** Tests of the checkpoints of nodes. */
@NullMarked
package corfu.silver.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
