/**
 * The client: the shared log as applications see it.
 *
 * <p>Enter at {@link corfu.runtime.Corfu}, which has a {@link corfu.runtime.Log}. Inside, {@code
 * Batcher} decides which calls share a round trip. {@code AppendBatch} is the write protocol;
 * {@code ReadBatch} and {@code BulkRead} are the read protocol. {@code ChainRepair} completes or
 * fills addresses that others left undecided. {@code Layouts} knows the newest layout. {@link
 * corfu.runtime.reconfiguration.Reconfiguration} is for operators of a cluster.
 */
@NullMarked
package corfu.runtime;

import org.jspecify.annotations.NullMarked;
