/**
 * Records the calls of clients and their outcomes: {@code CallHistory} for the log and streams,
 * {@code ObjectCalls} for transactions, {@code CollectionHistory} for single calls on collections.
 */
@NullMarked
package corfu.sim.history;

import org.jspecify.annotations.NullMarked;
