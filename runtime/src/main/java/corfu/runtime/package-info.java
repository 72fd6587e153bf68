/**
 * The client: the shared log as its users see it.
 *
 * <p>Enter at {@link corfu.runtime.Corfu}, which gives a {@link corfu.runtime.Log}. Inside, {@code
 * Batcher} decides which calls share a round trip; {@code AppendBatch} is the write protocol,
 * {@code ReadBatch} and {@code BulkRead} the read protocol, {@code ChainRepair} what finishes or
 * fills what others left; {@code Layouts} knows the newest layout. {@link
 * corfu.runtime.reconfiguration.Reconfiguration} is for those who run a cluster.
 */
@NullMarked
package corfu.runtime;

import org.jspecify.annotations.NullMarked;
