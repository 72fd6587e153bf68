/**
 * The calls that simulated clients make on replicated objects: transactions, single calls on
 * collections, composed objects and Tango's interface.
 */
@NullMarked
package corfu.sim.workload.object;

import org.jspecify.annotations.NullMarked;
