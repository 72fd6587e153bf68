/**
 * Records the calls of clients and their outcomes: {@code History} for the log and streams, {@code
 * ObjectHistory} for transactions, {@code CollectionHistory} for single calls on collections.
 */
@NullMarked
package corfu.sim.history;

import org.jspecify.annotations.NullMarked;
