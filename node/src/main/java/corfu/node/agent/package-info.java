/**
 * What mends a cluster without an operator (docs/decisions/0008-how-layouts-change.md): an agent
 * beside every layout server, of which the first one that answers acts.
 *
 * <p>Enter at {@link Agent}, which asks, acts and waits. What is to be done is decided by {@link
 * Watch}, which knows no time but what it is told.
 */
@NullMarked
package corfu.node.agent;

import org.jspecify.annotations.NullMarked;
