/**
 * Repairs a cluster without an operator (docs/decisions/0008-how-layouts-change.md): an agent runs
 * beside every layout server, and the first one that answers acts.
 *
 * <p>Enter at {@link Agent}, which asks, acts and waits. {@link Watch} decides what to do; it knows
 * only the times that it is told.
 */
@NullMarked
package corfu.node.agent;

import org.jspecify.annotations.NullMarked;
