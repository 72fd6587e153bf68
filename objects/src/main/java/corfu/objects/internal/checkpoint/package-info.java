/**
 * Checkpoints of objects. {@code Checkpoints} finds, reads and forgets them. {@code
 * CheckpointWriter} writes one, and {@code CheckpointTracker} says when one is due. {@code
 * DivergenceDetector} compares them with this client's own state.
 */
@NullMarked
package corfu.objects.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
